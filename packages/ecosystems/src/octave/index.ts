import type { Runner } from '../runner.ts';
import { octave } from './octave.ts';

export const OCTAVE: readonly Runner[] = [octave];
