import type { Runner } from '../runner.ts';
import { rspec } from './rspec.ts';

export const RUBY: readonly Runner[] = [rspec];
