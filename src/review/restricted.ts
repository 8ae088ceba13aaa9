import { type Action, changesFiles, onlyLooks } from '../domain/action.ts';
import type { Ruling } from '../domain/review.ts';
import { deny } from './denial.ts';
import { looksOnly } from './looks-only.ts';

/**
 * What is denied while you restrict the agent (`ralph resume --option resume_with_limits`): commands that do more than
 * look, unless they are gates, and tools that aren't known. `null`: nothing speaks against it.
 *
 * @param gates the command lines of the gates.
 */
export function restrictedRuling(action: Action, gates: readonly string[]): Ruling | null {
  const { kind, command, paths } = action;
  if (onlyLooks(action)) return null;
  if (changesFiles(action)) {
    // What git would run is named in there.
    const inGit = paths.some(({ path }) => /(?:^|\/)\.git(?:\/|$)/.test(path));
    return inGit ? deny('restricted', 'Nothing is written below .git after the emergency stop.') : null;
  }
  if (kind === 'system_command' && command !== null && (gates.includes(command.trim()) || looksOnly(command)))
    return null;
  return deny(
    'restricted',
    'After the emergency stop only files may be edited, and only commands run that look or are gates. Use the file tools.',
  );
}

/** Whether an action reads or writes files, or runs a command that may: what `[limits] max_file_operations` counts. */
export function isFileOperation(action: Action): boolean {
  const { kind, command } = action;
  if (kind === 'system_command') return command === null || !looksOnly(command);
  // Keeping a list of steps counts as well.
  return onlyLooks(action) || changesFiles(action);
}
