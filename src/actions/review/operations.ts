import { type Action, changesFiles, isReadKind } from '../../lib/actions/action.ts';
import { readsOnly } from '../effects/index.ts';

/** Whether an action reads or writes files, or runs a command that may: what `[limits] max_file_operations` counts. */
export function isFileOperation(action: Action): boolean {
  const { kind, command } = action;
  if (kind === 'system_command') return command === null || !readsOnly(command);
  // Keeping a list of steps counts as well.
  return isReadKind(action) || changesFiles(action);
}
