import { pathsOf, type Snapshot } from '../../domain/change-set.ts';
import type { CommitsTakenBack, KeptTree, Ports, Protected } from '../../domain/ports.ts';
import type { Series, SetAside } from '../../domain/records/series.ts';
import { type OpenRollback, taskStateOf, type Workplace } from '../../domain/records/state.ts';

type Place = {
  readonly ports: Pick<Ports, 'store' | 'git' | 'ids' | 'emit'>;
  readonly workplace: Workplace;
};

type Outcome =
  | { readonly kind: 'done'; readonly tree: string; readonly setAside: SetAside }
  /** None of its changes is in the tree. */
  | { readonly kind: 'nothing' }
  /** The work tree couldn't be put back whole. */
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Takes what the attempts at a task changed out of the work tree, as it ended undone. All of it is kept first: as a
 * checkpoint, and as a patch in the folder of the iteration and outside of the repository. What you changed since stays,
 * also in files that both of you changed.
 *
 * @param follow Told of refs that were moved.
 */
export async function setAsideWork(
  place: Place,
  taskId: string,
  follow: Protected['follow'] = async () => undefined,
): Promise<Outcome> {
  const { ports, workplace } = place;
  const { store, git } = ports;
  const { series, attempts } = taskStateOf(store.state, taskId);
  const last = attempts.at(-1);
  if (series === null || last === undefined) return { kind: 'nothing' };
  const commits = await git.takeBackCommits(series, `refs/ralph/kept/${last.run}-${last.iteration}`);
  if (commits.kind === 'taken_back') await follow(commits.refs);
  const yours = new Set(series.yours);
  const paths = series.work.filter((path) => !yours.has(path));
  const now = await git.snapshot();
  const target = await git.compose({ base: now.tree, from: series.tree, paths });
  if (target === now.tree && commits.kind === 'none') return { kind: 'nothing' };
  const kept = await git.keepForRestore(target, `the work at ${taskId}, which ended undone`);
  const open = { purpose: 'set_aside' as const, checkpoint: kept.id, tree: target, kept: kept.id, taskId };
  store.commit(() => [{ type: 'rollback_started', ...workplace, ...open }]);
  return finish(place, { ...open, taskId, commits, keptTree: kept.snapshot.tree }, kept);
}

/** Does what is on record and has no end yet. */
export async function endSetAside(place: Place, open: OpenRollback): Promise<Outcome> {
  const { taskId, kept } = open;
  const entry = (await place.ports.git.checkpoints()).find(({ id }) => id === kept);
  if (taskId === null || entry === undefined) return { kind: 'nothing' };
  const held = await place.ports.git.keepForRestore(open.tree, `beside ${kept}`);
  return finish(place, { ...open, taskId, commits: { kind: 'none' }, keptTree: entry.tree }, held);
}

type Begun = Omit<OpenRollback, 'taskId'> & {
  readonly taskId: string;
  readonly commits: CommitsTakenBack;
  /** The tree of the checkpoint. */
  readonly keptTree: string;
};

/** @param held What the work tree holds now. */
async function finish({ ports, workplace }: Place, begun: Begun, held: KeptTree): Promise<Outcome> {
  const { store, git, ids, emit } = ports;
  const { taskId, kept: checkpoint, tree: base, keptTree: tree, commits } = begun;
  const { series, attempts } = taskStateOf(store.state, taskId);
  const last = attempts.at(-1);
  if (series === null || last === undefined) return { kind: 'nothing' };
  const bytes = await git.wholePatch(base, tree);
  const patch = store.keepPatch(last.run, last.iteration, bytes);
  const outcome = await git.restore(base, held);
  if (outcome.kind === 'failed') {
    const message = `What ${taskId} changed could not be taken out of the work tree: ${outcome.reason} All of it is kept as ${checkpoint}. Fix that, then run again.`;
    return { kind: 'failed', message };
  }
  const paths = [...outcome.paths];
  const sha256 = ids.sha256(bytes);
  const setAside: SetAside = { checkpoint, base, tree, paths, both: bothIn(series), sha256 };
  const leftTree = outcome.snapshot.tree;
  store.commit(() => [{ type: 'work_set_aside', ...workplace, taskId, setAside, leftTree }]);
  const left = await leftBehind(git, series, outcome.snapshot);
  emit({ kind: 'set_aside', taskId, setAside, yours: series.yours, left, commits, patch });
  return { kind: 'done', tree: leftTree, setAside };
}

/** Work that can't be taken out: what changed in submodules. */
async function leftBehind(git: Ports['git'], series: Series, now: Snapshot): Promise<readonly string[]> {
  const differ = new Set(pathsOf(await git.diff({ ...now, tree: series.tree }, now)));
  const yours = new Set(series.yours);
  return series.work.filter((path) => differ.has(path) && !yours.has(path));
}

/** Paths that both of you changed: the parts can't be told apart, so they stay. */
function bothIn({ work, yours }: Series): string[] {
  return work.filter((path) => yours.includes(path));
}
