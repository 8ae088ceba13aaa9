import type { Runner } from '../runner.ts';
import { cargo } from './cargo.ts';
import { nextest } from './nextest.ts';

export const RUST: readonly Runner[] = [nextest, cargo];
