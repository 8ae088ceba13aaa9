import type { Runner } from '../runner.ts';
import { testthat } from './testthat.ts';

export const R: readonly Runner[] = [testthat];
