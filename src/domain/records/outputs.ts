import { isAtOrBelow } from '../../lib/paths.ts';
import type { State } from './state.ts';

/** Of a build that writes thousands of files into a folder of its own, the folder is one. */
export const OUTPUTS_KEPT = 500;

/** Whether gates write this file, or it lies in a folder that a tool fills. Path as in a change set. */
export function isOutput({ outputs }: Pick<State, 'outputs'>, path: string): boolean {
  return outputs.some((output) => isAtOrBelow(path, output));
}
