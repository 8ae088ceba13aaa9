import { type Action, changesFiles, isReadKind } from 'ralph-kit/actions/action';
import { readsOnly } from '../effects/index.ts';

/** Returns whether an action reads or writes files, or runs a command that may, as `[limits] max_file_operations` counts it. */
export function isFileOperation(action: Action): boolean {
  const { kind, command } = action;
  if (kind === 'system_command') return command === null || !readsOnly(command);
  // A tool that keeps the agent's list of steps counts, too.
  return isReadKind(action) || changesFiles(action);
}
