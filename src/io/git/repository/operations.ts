import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitOperation } from '../../../domain/records/git-operation.ts';

function operation(what: string, command: string): GitOperation {
  return { what, finish: `git ${command} --continue`, giveUp: `git ${command} --abort` };
}

/** By their traces in the git folder. */
const TRACES: readonly (readonly [trace: string, operation: GitOperation])[] = [
  ['MERGE_HEAD', operation('a merge', 'merge')],
  ['rebase-merge', operation('a rebase', 'rebase')],
  ['rebase-apply/applying', operation('an am', 'am')],
  ['rebase-apply', operation('a rebase', 'rebase')],
  ['CHERRY_PICK_HEAD', operation('a cherry-pick', 'cherry-pick')],
  ['REVERT_HEAD', operation('a revert', 'revert')],
  ['BISECT_LOG', { what: 'a bisect', finish: 'git bisect reset', giveUp: 'git bisect reset' }],
];

/** The operation that is in progress; the outermost, as it has to be ended first. `null`: none. */
export function operationInProgress(gitDir: string): GitOperation | null {
  return TRACES.find(([trace]) => existsSync(join(gitDir, trace)))?.[1] ?? null;
}
