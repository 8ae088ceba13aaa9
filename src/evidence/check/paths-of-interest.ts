import type { ChangeSet } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { Task } from '../../domain/task.ts';
import { leavesRepository } from '../items/path-names.ts';
import { readCriterion } from './acceptance.ts';
import { matchChange } from './match-changes.ts';

/**
 * The paths whose facts the checks need, each once: what the claim points to, the files that shortened paths stand for,
 * and what the acceptance criteria name. Paths outside of the repository are left out.
 */
export function pathsOfInterest(claim: Claim, task: Pick<Task, 'acceptance'>, changes: ChangeSet): string[] {
  const paths = new Set<string>();
  for (const { path } of claim.evidence) {
    if (!leavesRepository(path)) paths.add(path);
    const match = matchChange(path, changes, false);
    if (match.kind === 'change') paths.add(match.change.path);
  }
  for (const check of task.acceptance.flatMap(readCriterion)) paths.add(check.path);
  return [...paths];
}
