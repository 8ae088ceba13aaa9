import { isAtOrBelow } from '../../lib/paths.ts';
import type { State } from './state.ts';

/** Of a build that writes thousands of files into a folder of its own, the folder is one. */
export const OUTPUTS_KEPT = 500;

/** Whether gates write this file. Path as in a change set. */
export function isGateOutput({ gateOutputs }: Pick<State, 'gateOutputs'>, path: string): boolean {
  return gateOutputs.some((output) => isAtOrBelow(path, output));
}
