import type { ChangeSet } from '../domain/change-set.ts';
import type { Claim } from '../domain/claim.ts';
import type { Task } from '../domain/task.ts';
import { readCriterion } from './acceptance.ts';
import { matchChange } from './match-changes.ts';
import { leavesRepository } from './path-names.ts';

/**
 * The paths whose facts the checks need, each once: what the claim points to and what the acceptance criteria name.
 * With the change set also the files that shortened paths stand for. Paths outside of the repository are left out.
 */
export function pathsOfInterest(
  claim: Claim,
  task: Pick<Task, 'acceptance'>,
  changes: ChangeSet | null = null,
): string[] {
  const paths = new Set<string>();
  for (const { path } of claim.evidence) {
    if (!leavesRepository(path)) paths.add(path);
    const match = changes === null ? null : matchChange(path, changes, false);
    if (match?.kind === 'change') paths.add(match.change.path);
  }
  for (const check of task.acceptance.flatMap(readCriterion)) paths.add(check.path);
  return [...paths];
}
