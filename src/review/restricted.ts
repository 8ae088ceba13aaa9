import type { AgentAction, Ruling } from '../domain/review.ts';
import { commandText } from './action-parts.ts';
import { actionPaths } from './action-paths.ts';
import { deny } from './denial.ts';
import { looksOnly } from './looks-only.ts';
import { actionKind } from './tools.ts';

/**
 * What is denied while a person's restriction holds (`ralph resume --option resume_with_limits`): commands that do
 * more than look, unless they are gates, and tools that nobody here knows. `null`: nothing speaks against it.
 *
 * @param gates the command lines of the gates.
 */
export function restrictedRuling(action: AgentAction, gates: readonly string[]): Ruling | null {
  const kind = actionKind(action);
  if (kind === 'read') return null;
  if (kind === 'write' || kind === 'patch') {
    // What git would run is named in there.
    const inGit = actionPaths(action, '').some((path) => /(?:^|\/)\.git(?:\/|$)/.test(path));
    return inGit ? deny('restricted', 'Nothing is written below .git after the emergency stop.') : null;
  }
  const command = kind === 'shell' ? commandText(action.input) : null;
  if (command !== null && (gates.includes(command.trim()) || looksOnly(command))) return null;
  return deny(
    'restricted',
    'After the emergency stop only files may be edited, and only commands run that look or are gates. Use the file tools.',
  );
}

/** Whether an action reads or writes files, or runs a command that may: what `[limits] max_file_operations` counts. */
export function isFileOperation(action: AgentAction): boolean {
  const kind = actionKind(action);
  if (kind !== 'shell') return kind === 'read' || kind === 'write' || kind === 'patch';
  const command = commandText(action.input);
  return command === null || !looksOnly(command);
}
