import type { Runner } from '../runner.ts';
import { phpunit } from './phpunit.ts';

export const PHP: readonly Runner[] = [phpunit];
