import type { Runner } from '../runner.ts';
import { tcltest } from './tcltest.ts';

export const TCL: readonly Runner[] = [tcltest];
