import { pathsOf } from '../../domain/change-set.ts';
import type { Git } from '../../domain/ports.ts';
import type { Attempt } from './find-attempts.ts';

/** Two trees between which lies what attempts changed, and nothing else. */
export type ChangedTrees = {
  readonly from: string;
  readonly to: string;
};

type One = { readonly before: string; readonly after: string; readonly paths: readonly string[] };

/**
 * What attempts at one task changed in all: of a path that others changed in between, too, the first state before and the
 * last state after. What was taken back in between and not done again isn't in it.
 *
 * @throws GitError where git doesn't hold the trees any more.
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
  { before, after, paths }: One,
  known: Set<string>,
) {
  const changedBack = from === before ? [] : await namesBetween(git, from, before);
  const undone = [...known].filter((path) => !changedBack.includes(path));
  const fresh = paths.filter((path) => !known.has(path));
  for (const path of paths) known.add(path);
  const base = await git.compose({ base: from, from: before, paths: fresh });
  const kept = await git.compose({ base: to, from: before, paths: [...undone, ...fresh] });
  return { from: base, to: await git.compose({ base: kept, from: after, paths }) };
}

/** `null`: nothing is on record of it. An attempt without an end has what differs in the copy now. */
async function changesOf(git: Git, { started, ended }: Attempt): Promise<One | null> {
  if (started === null) return null;
  const before = started.checkpoint.tree;
  if (ended === null) {
    const after = (await git.work(started.worker).git.snapshot()).tree;
    return { before, after, paths: await namesBetween(git, before, after) };
  }
  const after = ended.type === 'iteration_finished' ? ended.attempt.tree : (ended.leftTree ?? before);
  return { before, after, paths: ended.changedPaths };
}

async function namesBetween(git: Git, from: string, to: string): Promise<readonly string[]> {
  if (from === to) return [];
  const snapshot = { head: null, branch: null };
  return pathsOf(await git.diff({ ...snapshot, tree: from }, { ...snapshot, tree: to }));
}
