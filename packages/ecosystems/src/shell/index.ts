import type { Runner } from '../runner.ts';
import { bats } from './bats.ts';
import { shunit2 } from './shunit2.ts';

export const SHELL: readonly Runner[] = [bats, shunit2];
