import { firstFew, pathText } from 'ralph-kit/text';
import { withTrailers } from 'ralph-kit/trailers';
import { pathsOf } from '../../domain/change-set.ts';
import type { HooksRan, Landed, LandingWaits, Refused, ResultId } from '../../domain/ports.ts';
import type { Grade } from '../../domain/proof.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { landCommand, releaseCommand } from '../../domain/work-place.ts';
import { openCleanCopy, type Tested } from '../../lab/index.ts';
import { workMessage } from '../commit-message.ts';
import type { LoopContext } from '../context.ts';
import { gatesPass } from '../proof/gates-pass.ts';
import { workPaths } from '../work-paths.ts';
import { reopenTask } from './reopen-task.ts';

type Verified = {
  readonly facts: Pick<IterationFacts, 'task' | 'changes'>;
  /** The tree that passed the gates; `null`: there is nothing to land. */
  readonly tested: Tested | null;
  readonly hooks: HooksRan;
  readonly grade: Grade;
};

/** Work that is ready to land. `there`: the line already has all of it. */
export type Prepared =
  | { readonly kind: 'nothing' | 'there' }
  | { readonly kind: 'result'; readonly id: ResultId };

/**
 * Prepares verified work before its verdict is recorded, so that nothing is lost if ralph is killed between the two.
 */
export async function prepareWork(
  context: LoopContext,
  { facts: { task, changes }, tested, hooks, grade }: Verified,
): Promise<Prepared> {
  if (tested === null || (await workPaths(context, changes.after)).length === 0) return { kind: 'nothing' };
  const { base, tree } = tested;
  if (tree === base.tree) return { kind: 'there' };
  const { commits } = changes;
  const message = withTrailers(
    workMessage(context.config, task, { hooks, commits }),
    `Ralph-Proof: ${grade}`,
  );
  const refusalReason = hooks.kind === 'refused' ? hooks.reason : null;
  const { id: taskId, dependsOn: needs } = task;
  const id = await context.ports.line.prepare({
    taskId,
    parent: base.commit,
    tree,
    message,
    needs,
    refusalReason,
  });
  return { kind: 'result', id };
}

export async function landWork(
  context: LoopContext,
  { task }: Pick<IterationFacts, 'task'>,
  { prepared, folder }: { readonly prepared: Prepared; readonly folder: string },
): Promise<void> {
  const { store, line } = context.ports;
  if (prepared.kind !== 'result') {
    store.commit(() => [{ type: 'work_landed', taskId: task.id, commit: null, paths: 0 }]);
    await context.remoteWorkers?.drop(task.id);
    return;
  }
  await line.keep(prepared.id);
  await landLine(context, folder);
}

type Landing = Pick<LoopContext, 'ports' | 'run' | 'config' | 'gates' | 'root' | 'secrets' | 'lab'>;

/**
 * Lands results. Each reason for waiting is reported once.
 * @param asksHooks Whether your commit hooks run again on results that they refused
 */
export async function landLine(
  context: Landing,
  folder: string,
  { asksHooks = false }: { readonly asksHooks?: boolean } = {},
): Promise<Landed> {
  const { ports, run, config } = context;
  const { store, line } = ports;
  const outcome = await line.land(
    (tree, commit) => gatesPass(context, { tree, commit }, folder),
    (taskId) => taskStateOf(store.refresh(), taskId).held,
    asksHooks ? (result) => hookRefusal(context, result, folder) : undefined,
  );
  const { landed, waiting, returned, conflicting, withdrawn } = outcome;
  const now = landed.length === 0 && waiting === null ? null : await line.current();
  const branch = now?.isHere ? null : now?.branch;
  for (const { taskId, commit, paths } of landed) {
    const made = config.git.commit === 'never' ? null : commit;
    store.commit(() => [
      { type: 'work_landed', taskId, commit: made, paths: paths.length, ...(branch ? { branch } : {}) },
    ]);
  }
  const reopen = async (result: ResultId, reason: string) => {
    const { taskId } = result;
    if (taskStateOf(store.state, taskId).doneBy === null) return;
    await reopenTask(ports, result, reason);
  };
  for (const result of returned) await reopen(result, 'it fails on what you committed since');
  for (const result of conflicting)
    await reopen(result, `it conflicts with what you committed${named(result.paths)}`);
  for (const { taskId } of withdrawn)
    store.commit([
      {
        type: 'warned',
        message: `You took ${taskId} out, so it doesn't land again automatically: ${landCommand(taskId)}`,
      },
    ]);
  if (waiting === null) return outcome;
  const open = now?.results.filter(({ status }) => status.kind === 'open') ?? [];
  for (const { taskId } of open) {
    const first = OF_FIRST.has(waiting.why) ? (open[0]?.taskId ?? taskId) : taskId;
    const before = first === taskId ? '' : `${first} lands first, and waits: `;
    const reason = `${before}${waitingText(waiting)}`;
    const { heldBy } = waiting;
    const command = heldBy === undefined ? landCommand(first) : releaseCommand(heldBy);
    const known = store.state.runs.findLast((one) => one.run === run)?.skippedCommits ?? [];
    if (known.some((one) => one.taskId === taskId && one.reason === reason)) continue;
    const held = heldBy === undefined ? {} : { heldBy };
    store.commit(() => [{ type: 'commit_skipped', run, taskId, reason, command, ...held }]);
  }
  return outcome;
}

/** Reasons that concern the first result. All later ones wait with it, because they were tested on top of it. */
const OF_FIRST: ReadonlySet<LandingWaits['why']> = new Set(['your_change', 'hook']);

const NAMED = 5;

function waitingText({ reason, paths }: LandingWaits): string {
  return `${reason}${named(paths)}.`;
}

function named(paths: readonly string[]): string {
  return paths.length === 0 ? '' : ` (${firstFew(paths.map(pathText), NAMED)})`;
}

/** Returns why your commit hooks refuse a result on the current branch; `null`: they accept it. */
async function hookRefusal(
  context: Landing,
  { base, tree, message }: Refused,
  folder: string,
): Promise<string | null> {
  // With `commit = "never"`, you make the commit, which runs the hooks.
  if (context.config.git.commit === 'never') return null;
  const before = { tree: base.tree, head: base.commit, branch: base.branch };
  const paths = pathsOf(await context.ports.git.diff(before, { ...before, tree }));
  const copy = await openCleanCopy(context, { tree, base, head: { message }, folder });
  try {
    const ran = await copy.commitHooks(message, paths);
    if (ran.kind === 'refused') return ran.reason;
    // Only the verified tree may land, so a hook that changes the tree refuses the result.
    return ran.kind === 'none' || ran.tree === tree ? null : 'its commit hooks change it';
  } finally {
    copy.close();
  }
}
