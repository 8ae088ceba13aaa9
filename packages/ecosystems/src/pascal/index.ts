import type { Runner } from '../runner.ts';
import { fpcunit } from './fpcunit.ts';

export const PASCAL: readonly Runner[] = [fpcunit];
