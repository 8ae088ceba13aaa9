import type { Runner } from '../runner.ts';
import { goTest } from './go-test.ts';

export const GO: readonly Runner[] = [goTest];
