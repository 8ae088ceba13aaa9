import type { Runner } from '../runner.ts';
import { prove } from './prove.ts';

export const PERL: readonly Runner[] = [prove];
