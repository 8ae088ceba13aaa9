import { trimBlanks } from 'ralph-kit/text';
import type { Snapshot } from '../domain/change-set.ts';
import { type CheckpointEntry, type CheckpointPolicy, GitError, type KeptName } from '../domain/ports.ts';
import { objectGit } from './call/git.ts';
import type { WorkTree } from './call/work-tree.ts';
import { refsOf } from './line/results.ts';
import { objectsOf } from './objects/door.ts';
import { makeCommit } from './objects/make-commit.ts';
import { refsBelow, revision, updateRefs } from './objects/questions.ts';

/** Returns the place of all checkpoints' refs: the work trees of a repository share those of the task list. */
function checkpointRefs(tree: WorkTree): string {
  return `${tree.refNamespace === undefined ? 'refs/ralph' : refsOf(tree)}/checkpoints/`;
}

/** Ids of checkpoints that only the user drops. */
const KEPT = new RegExp(`^(?:${(['kept', 'before-take', 'saved'] satisfies KeptName[]).join('|')})/`);

const FIELDS = ['refname', 'committerdate:unix', 'tree', 'parent', 'contents:subject'];

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
  const listed = (await listRefs(tree, refs)).filter(({ ref }) => !KEPT.test(ref.slice(refs.length)));
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
  const listed = await listRefs(tree, refs);
  return listed
    .filter((record) => record.tree !== '')
    .sort((one, other) => other.at - one.at || numberOf(other.ref) - numberOf(one.ref))
    .map(({ ref, at, tree: treeId, parents, subject }) => ({
      id: ref.slice(refs.length),
      at: new Date(at).toISOString(),
      tree: treeId,
      head: parents[0] ?? null,
      kept: KEPT.test(ref.slice(refs.length)),
      note: readable(subject),
    }));
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
  const commit = await revision(tree, ref);
  const known = (await listRefs(tree, ref)).some((one) => one.ref === ref);
  if (commit === null || !known) return false;
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

/** Returns refs below a name; `at` in milliseconds since 1970. */
async function listRefs(tree: WorkTree, name: string) {
  const format = FIELDS.map((field) => `%(${field})%00`).join('');
  const listed = await objectGit(tree, ['for-each-ref', `--format=${format}`, name]);
  const fields = listed.stdout.toString('utf8').split('\0');
  return Array.from({ length: Math.floor(fields.length / FIELDS.length) }, (_, record) => {
    const from = record * FIELDS.length;
    const [ref = '', at, treeId = '', parents = '', subject = ''] = fields.slice(from, from + FIELDS.length);
    return {
      // Git ends each record with a newline.
      ref: trimBlanks(ref),
      at: Number(at) * 1000,
      tree: treeId,
      parents: parents.split(' ').filter(Boolean),
      subject,
    };
  });
}
