import type { Runner } from '../runner.ts';
import { srfi64 } from './srfi-64.ts';

export const SCHEME: readonly Runner[] = [srfi64];
