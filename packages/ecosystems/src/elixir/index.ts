import type { Runner } from '../runner.ts';
import { exunit } from './exunit.ts';

export const ELIXIR: readonly Runner[] = [exunit];
