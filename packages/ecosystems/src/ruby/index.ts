import type { Runner } from '../runner.ts';
import { minitest } from './minitest.ts';
import { rspec } from './rspec.ts';
import { testUnit } from './test-unit.ts';

export const RUBY: readonly Runner[] = [rspec, minitest, testUnit];
