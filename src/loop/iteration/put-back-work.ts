import { pathsOf, type Snapshot } from '../../domain/change-set.ts';
import { GitError, type LostPath } from '../../domain/ports.ts';
import type { LostWork, Restored } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/outputs.ts';
import type { Series } from '../../domain/records/series.ts';
import type { Task } from '../../domain/task.ts';
import { isLossAskedFor } from '../../findings/index.ts';
import { isAtOrBelow } from '../../lib/paths.ts';
import { toolOutputsIn } from '../../lib/scope/tool-outputs.ts';
import { firstFew, onOneLine } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';

type Place = Pick<LoopContext, 'ports'>;

/** What isn't committed when an attempt begins, but for the work of its own task and what gates write. */
export type Uncommitted = {
  readonly from: string | null;
  readonly tree: string;
  readonly paths: readonly string[];
  readonly staged: ReadonlyMap<string, string>;
};

/** @param series What earlier attempts at the task changed; `null` for the first. */
export async function uncommittedAt(
  { ports }: Place,
  before: Snapshot,
  series: Series | null,
  staged: Uncommitted['staged'],
): Promise<Uncommitted> {
  const { git, store } = ports;
  const from = series === null ? before.head : series.head;
  const own = series === null ? [] : series.work.filter((path) => !series.yours.includes(path));
  const tree =
    series === null ? before.tree : await git.compose({ base: before.tree, from: series.tree, paths: own });
  const dirty = await git.dirtyPaths({ tree, head: from, branch: null });
  await rememberToolOutputs({ ports }, before, dirty);
  return { from, tree, paths: dirty.filter((path) => !isOutput(store.state, path)), staged };
}

type Loss = {
  /** `null`: nothing was asked for. */
  readonly task: Task | null;
  readonly by: LostWork['by'];
  readonly yours: Uncommitted;
  readonly now: Snapshot;
  /** Paths that changed meanwhile, as far as you can't have done that. */
  readonly changed: readonly string[];
};

/**
 * Puts back what an attempt undid of your uncommitted work. What the task asks for stays gone, and so does what other
 * content stands in the place of: your version is kept as a checkpoint. A file that no commit holds and that gates write
 * anew is theirs from then on.
 */
export async function putBackWork(
  { ports }: Place,
  { task, by, yours, now, changed }: Loss,
): Promise<{ readonly now: Snapshot; readonly lost: LostWork[] }> {
  const { git, store, emit } = ports;
  const touched = new Set(changed);
  const paths = yours.paths.filter((path) => touched.has(path));
  const { from, tree: mine, staged } = yours;
  const lost = paths.length === 0 ? [] : await git.lostWork({ from, mine, now: now.tree, paths, staged });
  if (lost.length === 0) return { now, lost: [] };
  const back = lost.filter(
    ({ how, path }) => how !== 'replaced' && (task === null || !isLossAskedFor(task, path)),
  );
  const snapshot = back.length === 0 ? null : await restored(ports, yours, now, back);
  const gone = snapshot === null ? lost : lost.filter((one) => !back.includes(one));
  const kept = gone.length === 0 ? null : await git.keep(mine, 'your uncommitted work before an attempt');
  const found = lost.map((one) => ({
    path: one.path,
    how: one.how,
    by,
    kept: gone.includes(one) ? kept : null,
  }));
  const outputs = lost.filter(({ how, isNew }) => by === 'gates' && how === 'replaced' && isNew);
  if (outputs.length > 0)
    store.commit(() => [{ type: 'outputs_seen', paths: outputs.map(({ path }) => path) }]);
  for (const message of messagesOf(found)) emit({ kind: 'warning', message });
  return { now: snapshot ?? now, lost: found };
}

/** The work tree with your changes in it again; `null`: they can't be put there. */
async function restored(
  { git, emit }: LoopContext['ports'],
  { from, tree: mine }: Uncommitted,
  now: Snapshot,
  back: readonly LostPath[],
): Promise<Snapshot | null> {
  const pathsWhere = (merges: boolean) => back.filter((one) => one.merges === merges).map(({ path }) => path);
  try {
    const whole = await git.compose({ base: now.tree, from: mine, paths: pathsWhere(false) });
    const changes =
      from === null ? null : await git.compose({ base: from, from: mine, paths: pathsWhere(true) });
    const merged =
      from === null || changes === null || changes === from
        ? whole
        : await git.applyToTree(whole, await git.wholePatch(from, changes));
    const target = merged ?? whole;
    const held = await git.keepForRestore(target, 'before your uncommitted work was put back');
    const outcome = await git.restore(target, held);
    if (outcome.kind === 'failed') {
      emit({ kind: 'warning', message: `Your uncommitted work could not be put back: ${outcome.reason}` });
      return null;
    }
    // What it replaced is in a commit or in what is there now.
    if (held.raw === null && outcome.alsoKept === null) await git.dropCheckpoint(held.id);
    return outcome.snapshot;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    emit({ kind: 'warning', message: `Your uncommitted work could not be put back: ${error.message}` });
    return null;
  }
}

/** What was put back of your index and your stash. */
export function lostInGit(restored: readonly Restored[], by: LostWork['by']): LostWork[] {
  const staged = restored.filter(({ kind, change }) => kind === 'staged' && change === 'deleted');
  const isStash = restored.some(({ kind }) => kind === 'stash');
  return [
    ...staged.map(({ path }) => ({ path, how: 'unstaged' as const, by, kept: null })),
    ...(isStash ? [{ path: 'refs/stash', how: 'stash' as const, by, kept: null }] : []),
  ];
}

/** Files that a message names. */
const SHOWN = 5;

function messagesOf(lost: readonly LostWork[]): string[] {
  const named = (some: readonly LostWork[]) =>
    firstFew(
      some.map(({ path }) => onOneLine(path)),
      SHOWN,
    );
  const back = lost.filter(({ kept }) => kept === null);
  const gone = lost.filter(({ kept }) => kept !== null);
  const who = lost.some(({ by }) => by === 'agent') ? 'the agent' : 'the gates';
  return [
    ...(back.length === 0
      ? []
      : [`Your uncommitted changes in ${named(back)}, undone by ${who}, were put back.`]),
    ...(gone.length === 0
      ? []
      : [
          `Your uncommitted version of ${named(gone)} is gone from the tree; it is kept: ralph checkpoints diff ${gone[0]?.kept}`,
        ]),
  ];
}

/**
 * Remembers what gates made where there was nothing, but for what stands in the place of somebody's work.
 *
 * @param works Paths that you or the attempt changed.
 */
export async function rememberOutputs(
  { ports: { git, store } }: Place,
  before: Snapshot,
  now: Snapshot,
  works: readonly string[],
): Promise<void> {
  const made = await git.madeBetween(before.tree, now.tree);
  const paths = made.filter(
    (path) => !isOutput(store.state, path) && !works.some((work) => isAtOrBelow(work, path)),
  );
  if (paths.length > 0) store.commit(() => [{ type: 'outputs_seen', paths }]);
}

/** Remembers the folders and files among these paths that tools write and of which no commit holds anything. */
export async function rememberToolOutputs(
  { ports: { git, store, emit } }: Place,
  { head }: Snapshot,
  paths: readonly string[],
): Promise<void> {
  const outputs = toolOutputsIn(paths).filter((output) => !isOutput(store.state, output));
  if (outputs.length === 0) return;
  const facts = head === null ? [] : await git.fileFacts({ tree: head, head, branch: null }, outputs);
  const held = new Set(facts.filter(({ exists }) => exists).map(({ path }) => path));
  const seen = outputs.filter((output) => !held.has(output));
  if (seen.length === 0) return;
  store.commit(() => [{ type: 'outputs_seen', paths: seen }]);
  const named = firstFew(seen.map(onOneLine), SHOWN);
  const them = seen.length === 1 ? 'it' : 'them';
  emit({
    kind: 'warning',
    message: `Git doesn't ignore ${named}. Commits leave ${them} out, and ralph doesn't count ${them} as work. Add ${them} to .gitignore.`,
  });
}

/** What changed between two moments of the work tree. */
export async function changedBetween(
  { ports: { git } }: Place,
  before: Snapshot,
  now: Snapshot,
): Promise<string[]> {
  return before.tree === now.tree ? [] : pathsOf(await git.diff(before, now));
}
