import type { Runner } from '../runner.ts';
import { eunit } from './eunit.ts';

export const ERLANG: readonly Runner[] = [eunit];
