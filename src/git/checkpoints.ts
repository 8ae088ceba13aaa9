import type { Snapshot } from '../domain/change-set.ts';
import { type CheckpointEntry, type CheckpointPolicy, GitError, type KeptName } from '../domain/ports.ts';
import type { WorkTree } from './call/work-tree.ts';
import { refsOf } from './line/results.ts';
import { objectsOf } from './objects/door.ts';
import { makeCommit } from './objects/make-commit.ts';
import { refsBelow, updateRefs } from './objects/questions.ts';

/** Returns the place of all checkpoints' refs: the work trees of a repository share those of the task list. */
function checkpointRefs(tree: WorkTree): string {
  return `${tree.refNamespace === undefined ? 'refs/ralph' : refsOf(tree)}/checkpoints/`;
}

/** Ids of checkpoints that only the user drops. */
const KEPT = new RegExp(`^(?:${(['kept', 'before-take', 'saved'] satisfies KeptName[]).join('|')})/`);

/** Two processes may try to take the same number. */
const NUMBER_TRIES = 20;

/** Keeps a snapshot as `refs/ralph/checkpoints/RUN/N`, a commit on HEAD, so that `git gc` keeps both. */
export async function keepCheckpoint(
  tree: WorkTree,
  run: string,
  number: number,
  snapshot: Snapshot,
): Promise<ReadonlyMap<string, string>> {
  const parents = snapshot.head === null ? [] : [snapshot.head];
  const commit = await makeCommit(tree, snapshot.tree, parents, `ralph checkpoint ${run}/${number}\n`, {
    who: 'ralph',
  });
  const ref = `${checkpointRefs(tree)}${run}/${number}`;
  await updateRefs(tree, [`update ${ref} ${commit}`]);
  return new Map([[ref, commit]]);
}

/** Keeps a tree under the next free number of a name and returns its id; it is never pruned. */
export async function keepContent(
  tree: WorkTree,
  treeId: string,
  note: string,
  name: KeptName = 'kept',
): Promise<string> {
  const refs = `${checkpointRefs(tree)}${name}/`;
  const commit = await makeCommit(tree, treeId, [], `${note.replace(/\s+/g, ' ').trim()}\n`, {
    who: 'ralph',
  });
  for (let tries = 1; ; tries += 1) {
    const kept = await refsBelow(tree, [refs]);
    const numbers = [...kept.keys()].map((ref) => Number(ref.slice(refs.length)));
    const number = Math.max(0, ...numbers.filter((one) => one > 0)) + 1;
    try {
      await updateRefs(tree, [`create ${refs}${number} ${commit}`]);
      return `${name}/${number}`;
    } catch (error) {
      if (!(error instanceof GitError) || tries === NUMBER_TRIES) throw error;
    }
  }
}

/** Returns checkpoints to prune: too old and not among the newest. Times in milliseconds since 1970. */
export function outdated(
  checkpoints: readonly { readonly ref: string; readonly at: number }[],
  policy: CheckpointPolicy,
  now: number,
): string[] {
  const since = now - policy.retentionMinutes * 60_000;
  return checkpoints
    .toSorted((one, other) => other.at - one.at)
    .filter(({ at }, index) => index >= policy.keep && at < since)
    .map(({ ref }) => ref);
}

/** Removes outdated refs; git removes their objects. Content replaced by a rollback stays and isn't counted. */
export async function pruneCheckpoints(
  tree: WorkTree,
  policy: CheckpointPolicy,
  now: number,
): Promise<ReadonlyMap<string, null>> {
  const refs = checkpointRefs(tree);
  const listed = (await listCheckpoints(tree))
    .filter(({ kept }) => !kept)
    .map(({ id, at }) => ({ ref: `${refs}${id}`, at: Date.parse(at) }));
  const pruned = outdated(listed, policy, now);
  await updateRefs(
    tree,
    pruned.map((ref) => `delete ${ref}`),
  );
  return new Map(pruned.map((ref) => [ref, null]));
}

/** Returns all checkpoints, newest first; within a second, the higher number first. */
export async function listCheckpoints(tree: WorkTree): Promise<readonly CheckpointEntry[]> {
  const refs = checkpointRefs(tree);
  const objects = await objectsOf(tree);
  const listed: CheckpointEntry[] = [];
  for (const [ref, commitId] of await refsBelow(tree, [refs])) {
    const commit = await objects.commit(commitId);
    if (commit === null) continue;
    const id = ref.slice(refs.length);
    const [subject = ''] = (commit.message ?? '').split('\n');
    const at = new Date(commit.date * 1000).toISOString();
    const head = commit.parents[0] ?? null;
    listed.push({ id, at, tree: commit.tree, head, kept: KEPT.test(id), note: readable(subject) });
  }
  return listed.sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at) || numberOf(other.id) - numberOf(one.id),
  );
}

/** Returns the given trees that the repository lacks: after a fresh clone, or when git pruned them. */
export async function missingTrees(tree: WorkTree, trees: readonly string[]): Promise<readonly string[]> {
  const objects = await objectsOf(tree);
  const missing: string[] = [];
  for (const id of trees)
    if (!(await objects.isThere(id)) || (await objects.read(id))?.kind !== 'tree') missing.push(id);
  return missing;
}

/** Deletes a checkpoint. Returns false when the id doesn't exist. */
export async function dropCheckpoint(tree: WorkTree, id: string): Promise<boolean> {
  const ref = `${checkpointRefs(tree)}${id}`;
  const commit = (await refsBelow(tree, [checkpointRefs(tree)])).get(ref);
  if (commit === undefined) return false;
  await updateRefs(tree, [`delete ${ref} ${commit}`]);
  return true;
}

/** Deletes all refs of `ralph do` in a work tree except for one checkpoint; `null`: no exception. */
export async function dropRefsApart(tree: WorkTree, kept: string | null): Promise<void> {
  if (tree.refNamespace === undefined) return;
  const refs = await refsBelow(tree, [`${refsOf(tree)}/`]);
  const isKept = (ref: string) => kept !== null && ref === `${checkpointRefs(tree)}${kept}`;
  const dropped = [...refs.keys()].filter((ref) => !isKept(ref));
  await updateRefs(
    tree,
    dropped.map((ref) => `delete ${ref}`),
  );
}

function readable(subject: string): string {
  const [, run, number] = /^ralph checkpoint (.+)\/(\d+)$/.exec(subject) ?? [];
  return run === undefined ? subject : `before iteration ${number} of run ${run}`;
}

function numberOf(ref: string): number {
  return Number(ref.slice(ref.lastIndexOf('/') + 1)) || 0;
}
