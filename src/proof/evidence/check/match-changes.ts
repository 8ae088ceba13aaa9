import type { Change, ChangeSet } from '../../../domain/change-set.ts';
import type { Claim } from '../../../domain/claim.ts';
import type { Task } from '../../../domain/task.ts';
import { pathsOfCriteria } from '../criteria/criteria-of.ts';
import { leavesRepository } from '../items/path-names.ts';

export type Match =
  /** `moved`: the path is the old one of a renamed file. */
  | { readonly kind: 'change'; readonly change: Change; readonly moved: boolean }
  | { readonly kind: 'folder'; readonly changes: readonly Change[] }
  | { readonly kind: 'ambiguous'; readonly paths: readonly string[] }
  | { readonly kind: 'none' };

/**
 * Returns the changed files that a path means: exactly, as a folder, as the unique end of a path (`parser.ts`), or with surplus leading
 * folders (absolute paths, `a/` and `b/` of diffs). With `existsItself` a file has this very path, so shortened readings are wrong.
 */
export function matchChange(path: string, changes: ChangeSet, existsItself: boolean): Match {
  const list = changes.changes;
  const exact = list.find((change) => change.path === path);
  if (exact !== undefined) return { kind: 'change', change: exact, moved: false };
  const moved = list.find((change) => change.oldPath === path);
  if (moved !== undefined) return { kind: 'change', change: moved, moved: true };
  const inside = list.filter((change) => change.path.startsWith(`${path}/`));
  if (inside.length > 0) return { kind: 'folder', changes: inside };
  if (existsItself) return { kind: 'none' };

  const shortened = list.filter((change) => change.path.endsWith(`/${path}`));
  const [only, ...more] = shortened;
  if (only !== undefined && more.length === 0) return { kind: 'change', change: only, moved: false };
  if (more.length > 0) return { kind: 'ambiguous', paths: shortened.map((change) => change.path) };

  if (!path.startsWith('/') && !/^(?:[ab]|[A-Za-z]:)\//.test(path)) return { kind: 'none' };
  const within = list
    .filter((change) => path.endsWith(`/${change.path}`))
    .sort((one, other) => other.path.length - one.path.length)[0];
  return within === undefined ? { kind: 'none' } : { kind: 'change', change: within, moved: false };
}

/**
 * Returns each path that checks need facts about: paths in the claim, files meant by shortened ones, and paths in acceptance criteria.
 * Paths outside of the repository are left out.
 */
export function pathsOfInterest(claim: Claim, task: Pick<Task, 'acceptance'>, changes: ChangeSet): string[] {
  const paths = new Set<string>();
  for (const { path } of claim.evidence) {
    if (!leavesRepository(path)) paths.add(path);
    const match = matchChange(path, changes, false);
    if (match.kind === 'change') paths.add(match.change.path);
  }
  for (const path of pathsOfCriteria(task)) paths.add(path);
  return [...paths];
}
