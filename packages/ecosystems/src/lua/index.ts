import type { Runner } from '../runner.ts';
import { busted } from './busted.ts';

export const LUA: readonly Runner[] = [busted];
