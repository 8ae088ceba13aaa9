import type { Runner } from '../runner.ts';
import { fiveam } from './fiveam.ts';

export const LISP: readonly Runner[] = [fiveam];
