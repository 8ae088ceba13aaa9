import type { Runner } from '../runner.ts';
import { catch2 } from './catch2.ts';
import { check } from './check.ts';
import { cmocka } from './cmocka.ts';
import { ctest } from './ctest.ts';
import { doctest } from './doctest.ts';
import { gtest } from './gtest.ts';

export const C: readonly Runner[] = [ctest, gtest, cmocka, check, doctest, catch2];
