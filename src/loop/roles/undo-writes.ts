import { pathsOf, type Snapshot } from '../../domain/change-set.ts';
import { GitError } from '../../domain/ports.ts';
import { firstFew } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';
import { type Guarded, restoreAfter } from '../iteration/restore-after.ts';

/**
 * Puts back what roles beside the maker changed of the work tree and of what is protected; the paths. In a box they can
 * have changed none of it: then what changed is yours, and stays.
 * @throws GitError where that can't be done.
 */
export async function undoWrites(
  context: LoopContext,
  guarded: Guarded,
  before: Snapshot,
): Promise<readonly string[]> {
  const { git, proc, emit } = context.ports;
  const restored = await restoreAfter(context, guarded, 'agent');
  const protectedPaths = proc.isBoxed ? [] : restored.map(({ path }) => path);
  const now = await git.snapshot();
  if (now.tree === before.tree || proc.isBoxed) return protectedPaths;
  const paths = pathsOf(await git.diff(before, now));
  const target = await git.compose({ base: now.tree, from: before.tree, paths });
  const kept = await git.keepForRestore(target, 'what a reviewer or planner wrote');
  const outcome = await git.restore(target, kept);
  if (outcome.kind === 'failed') throw new GitError(outcome.reason);
  emit({
    kind: 'warning',
    message: `${firstFew(paths)} changed while a role that may not write was at work; put back. If the change was yours, it is kept as ${kept.id}.`,
  });
  return [...protectedPaths, ...paths];
}
