import { pathsBetween } from '../../domain/paths-between.ts';
import type { Git } from '../../domain/ports.ts';
import type { Attempt } from './find-attempts.ts';

export type ChangedTrees = {
  readonly from: string;
  readonly to: string;
};

type TreeChange = { readonly before: string; readonly after: string; readonly paths: readonly string[] };

/**
 * Returns the total change by a task's attempts, from the first to the last state of each path, without changes that
 * were undone. `null`: no trees are on record. @throws GitError if git has removed the trees.
 */
export async function changedTrees(git: Git, attempts: readonly Attempt[]): Promise<ChangedTrees | null> {
  const known = new Set<string>();
  let trees: { readonly from: string; readonly to: string } | null = null;
  for (const attempt of attempts) {
    const one = await changesOf(git, attempt);
    if (one === null) continue;
    trees ??= { from: one.before, to: one.before };
    trees = await withAttempt(git, trees, one, known);
  }
  return trees;
}

async function withAttempt(
  git: Git,
  { from, to }: { readonly from: string; readonly to: string },
  { before, after, paths }: TreeChange,
  known: Set<string>,
) {
  const changedBack = from === before ? [] : await pathsBetween(git, from, before);
  const undone = [...known].filter((path) => !changedBack.includes(path));
  const fresh = paths.filter((path) => !known.has(path));
  for (const path of paths) known.add(path);
  const base = await git.compose({ base: from, from: before, paths: fresh });
  const kept = await git.compose({ base: to, from: before, paths: [...undone, ...fresh] });
  return { from: base, to: await git.compose({ base: kept, from: after, paths }) };
}

/**
 * Returns the change by one attempt; `null`: its start isn't on record. An attempt without an end is compared with the
 * current content of its copy.
 */
async function changesOf(git: Git, { started, ended }: Attempt): Promise<TreeChange | null> {
  if (started === null) return null;
  const before = started.checkpoint.tree;
  if (ended === null) {
    const after = (await git.work(started.worker).git.snapshot()).tree;
    return { before, after, paths: await pathsBetween(git, before, after) };
  }
  const after = ended.type === 'iteration_finished' ? ended.attempt.tree : (ended.leftTree ?? before);
  return { before, after, paths: ended.changedPaths };
}
