import { pathsOf, type Snapshot } from '../../domain/change-set.ts';
import type { FeedbackEntry } from '../../domain/records/feedback.ts';
import type { SetAside } from '../../domain/records/series.ts';
import { type OpenRollback, taskStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

/** Characters of a patch that a prompt shows. */
const PATCH_SHOWN = 20_000;

type Place = Pick<LoopContext, 'ports' | 'workplace'>;

type Outcome =
  | { readonly kind: 'ok'; readonly snapshot: Snapshot | null }
  /** The work tree couldn't be written. */
  | { readonly kind: 'failed'; readonly message: string };

/**
 * A task that was unblocked begins with the work of its last series, where that applies to the tree as it is by now;
 * where it doesn't, the agent is shown the patch.
 *
 * @param yours What you changed since the last attempt.
 * @returns `snapshot`: the work tree afterwards; `null`: nothing was to be done.
 */
export async function takeUpWork(
  { ports, workplace }: LoopContext,
  taskId: string,
  before: Snapshot,
  yours: readonly string[],
): Promise<Outcome> {
  const { store, git, ids, emit, clock } = ports;
  const { setAside } = taskStateOf(store.state, taskId);
  if (setAside === null) return { kind: 'ok', snapshot: null };
  const { checkpoint } = setAside;
  const whole = await git.wholePatch(setAside.base, setAside.tree);
  if (ids.sha256(whole) !== setAside.sha256) {
    const message = `The work of ${checkpoint} isn't what was kept (sha256 ${setAside.sha256}): an approval of it counts for nothing. Begin without it: ralph unblock ${taskId} --fresh`;
    return { kind: 'failed', message };
  }
  const work = await withoutLostGates({ ports, workplace }, setAside);
  const patch = work === setAside.tree ? whole : await git.wholePatch(setAside.base, work);
  const { tree, head, branch } = before;
  const place = { ...workplace, taskId, checkpoint, tree, head, branch, yours: [...yours] };
  const target = await git.applyToTree(tree, patch);
  if (target === null) {
    store.commit(() => [
      { type: 'work_taken_up', ...place, applied: false, paths: [], leftTree: tree },
      { type: 'feedback_added', entry: shown(setAside, taskId, clock.now(), patch.toString('utf8')) },
    ]);
    emit({ kind: 'taken_up', taskId, checkpoint, applied: false, paths: 0 });
    return { kind: 'ok', snapshot: before };
  }
  const restored = await restoreTree({ ports, workplace }, target, { checkpoint, taskId });
  if (restored.kind === 'failed') return restored;
  const { snapshot, paths } = restored;
  store.commit(() => [
    { type: 'work_taken_up', ...place, applied: true, paths: [...paths], leftTree: snapshot.tree },
  ]);
  emit({ kind: 'taken_up', taskId, checkpoint, applied: true, paths: paths.length });
  return { kind: 'ok', snapshot };
}

/** The tree of the work, in which what the gates run is there: an agent that deleted it doesn't get that back. */
async function withoutLostGates(
  { ports: { git, store } }: Place,
  { base, tree, paths }: SetAside,
): Promise<string> {
  const sources = Object.values(store.state.baseline?.sources ?? {}).flat();
  const run = new Set(sources.map(({ path }) => path));
  const facts = await git.fileFacts(
    { tree, head: null, branch: null },
    paths.filter((path) => run.has(path)),
  );
  const lost = facts.filter(({ exists }) => !exists).map(({ path }) => path);
  return lost.length === 0 ? tree : git.compose({ base: tree, from: base, paths: lost });
}

/** Does what is on record and has no end yet. */
export async function endTakeUp(
  { ports, workplace }: Place,
  { checkpoint, tree: target, kept, taskId }: OpenRollback,
): Promise<Outcome> {
  const { store, git } = ports;
  const before = (await git.checkpoints()).find(({ id }) => id === kept);
  if (taskId === null || before === undefined) return { kind: 'ok', snapshot: null };
  const restored = await restoreTree({ ports, workplace }, target, { checkpoint, taskId });
  if (restored.kind === 'failed') return restored;
  const { snapshot } = restored;
  const { head, branch, tree: leftTree } = snapshot;
  const paths = pathsOf(await git.diff({ ...snapshot, tree: before.tree }, snapshot));
  const place = { ...workplace, taskId, checkpoint, tree: before.tree, head, branch };
  store.commit(() => [{ type: 'work_taken_up', ...place, applied: true, yours: [], paths, leftTree }]);
  return { kind: 'ok', snapshot };
}

async function restoreTree(
  { ports: { store, git }, workplace }: Place,
  tree: string,
  { checkpoint, taskId }: { readonly checkpoint: string; readonly taskId: string },
) {
  const kept = await git.keepForRestore(tree, `before the work of ${checkpoint} was applied`);
  const open = { purpose: 'take_up' as const, checkpoint, tree, kept: kept.id, taskId };
  store.commit(() => [{ type: 'rollback_started', ...workplace, ...open }]);
  const outcome = await git.restore(tree, kept);
  if (outcome.kind !== 'failed') return outcome;
  const message = `The work of ${checkpoint} could not be applied: ${outcome.reason} What the work tree held is kept as ${kept.id}.`;
  return { kind: 'failed' as const, message };
}

function shown({ checkpoint, paths }: SetAside, taskId: string, at: string, patch: string): FeedbackEntry {
  const cut = patch.length > PATCH_SHOWN;
  const fence = patch.includes('```') ? '~~~~' : '```';
  const text = [
    `**Your earlier work on this task** (${paths.join(', ')}) was taken out of the tree and doesn't apply to it any more. Use what is good of it:`,
    `${fence}diff\n${patch.slice(0, PATCH_SHOWN)}\n${fence}`,
    ...(cut ? [`The rest is cut; all of it is in the checkpoint ${checkpoint}.`] : []),
  ].join('\n\n');
  return { at, taskId, iteration: null, kind: 'guidance', source: 'suggestion', text };
}
