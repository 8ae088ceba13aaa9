import type { RunResult } from '../domain/loop-event.ts';
import type { Task } from '../domain/task.ts';
import { missingTools, needsBaseline, nextBaseline } from '../gates/index.ts';
import { checkDependencies, overlayStatus, selectTask } from '../tasks/index.ts';
import type { LoadedTracker, LoopContext } from './context.ts';
import { countTasks } from './count-tasks.ts';
import { decideEnding, type Ending, endingOfPick, infrastructureEnding } from './ending.ts';
import { reconcileTracker } from './reconcile-tracker.ts';
import { runGates } from './run-gates.ts';
import { type Previous, runIteration } from './run-iteration.ts';
import { summariseRun } from './summary.ts';

export type LoopResult =
  | { readonly kind: 'finished'; readonly result: RunResult }
  /** Nothing was run: configuration, tracker or tools have to be mended first (exit 2). */
  | { readonly kind: 'refused'; readonly message: string };

/** The loop: works through the tasks until one of the endings of the specification holds. */
export async function runLoop(context: LoopContext): Promise<LoopResult> {
  const { ports, run, adapter, mode, config } = context;
  const { store, clock, emit, tracker } = ports;
  const started = clock.monotonicMs();

  recoverInterrupted(context);
  const first = await loadReconciled(context);
  if (!first.ok) return { kind: 'refused', message: first.message };
  const firstPick = selectTask(first.tasks, store.state.tasks, context.only);
  if (firstPick.kind === 'unknown_task' || firstPick.kind === 'empty') {
    return { kind: 'refused', message: endingOfPick(firstPick).reason };
  }
  const refusal = await takeBaseline(context);
  if (refusal !== null) return { kind: 'refused', message: refusal };
  const branchProblem = await switchBranch(context, `${config.git.branch_prefix}${run}`, 'per_run');
  if (branchProblem !== null) return { kind: 'refused', message: branchProblem };

  store.commit(() => [
    {
      type: 'run_started',
      run,
      agent: adapter.name,
      mode: mode.name,
      pid: ports.process.pid,
      host: ports.process.host,
      version: ports.process.version,
    },
  ]);
  emit({
    kind: 'run_started',
    run,
    agent: adapter.name,
    mode: mode.name,
    tracker: first.tracker.name,
    tasks: countTasks(first.tasks),
  });

  let iterations = 0;
  let previous: Previous = { tree: newestTree(context), snapshot: null };
  let ending: Ending | null = null;
  let tasks: readonly Task[] = first.tasks;
  while (ending === null) {
    const loaded = await loadReconciled(context);
    if (!loaded.ok) {
      ending = { kind: 'error', exitCode: 2, reason: loaded.message };
      break;
    }
    tasks = loaded.tasks;
    const pick = selectTask(tasks, store.state.tasks, context.only);
    ending = decideEnding({
      pick,
      signal: ports.stop.reason(),
      suspended: store.state.profiles[adapter.name]?.suspended ?? null,
      agent: adapter.name,
      iterations,
      maxIterations: context.maxIterations,
      idleIterations: store.state.idleIterations,
      noProgressLimit: config.loop.no_progress_limit,
    });
    if (ending !== null || pick.kind !== 'task') {
      ending ??= endingOfPick(pick);
      break;
    }
    const problem = await switchBranch(context, `${config.git.branch_prefix}${pick.task.id}`, 'per_task');
    if (problem !== null) {
      ending = { kind: 'error', exitCode: 2, reason: problem };
      break;
    }
    const outcome = await runIteration(context, loaded.tracker, tasks, pick.task, previous);
    if (outcome.kind === 'refused') {
      ending = { kind: 'error', exitCode: 2, reason: outcome.message };
      break;
    }
    iterations += 1;
    previous = outcome.previous;
    ending = infrastructureEnding(outcome.decisions.verdict, adapter.name);
  }

  const finalLoad = await tracker.load();
  const finalTasks = finalLoad.ok ? overlaid(finalLoad, store.refresh().tasks) : tasks;
  const result = summariseRun({
    run,
    ending,
    tasks: finalTasks,
    state: store.state,
    iterations,
    commits: config.git.commit !== 'never',
    durationMs: Math.round(clock.monotonicMs() - started),
  });
  store.commit(() => [{ type: 'run_finished', run, ending: ending.kind, exitCode: result.exitCode }]);
  store.writeViews();
  emit({ kind: 'run_finished', result });
  return { kind: 'finished', result };
}

/** An attempt that a dead loop left open is recorded as interrupted; it counts as no failed attempt. */
function recoverInterrupted({ ports }: LoopContext): void {
  const open = ports.store.refresh().openIteration;
  if (open === null) return;
  ports.store.commit(() => [
    {
      type: 'iteration_interrupted',
      run: open.run,
      iteration: open.iteration,
      taskId: open.taskId,
      reason: 'the loop ended without finishing it',
    },
  ]);
  ports.emit({
    kind: 'warning',
    message: `Iteration ${open.iteration} (${open.taskId}) of run ${open.run} was cut off. It counts as no failed attempt; what it wrote is in the tree.`,
  });
}

/** The tasks once task file and journal agree. */
async function loadReconciled(context: LoopContext): Promise<Loaded> {
  const loaded = await loadTasks(context);
  if (!loaded.ok) return loaded;
  if (await reconcileTracker(context, loaded.tracker)) return loadTasks(context);
  // Taking a block back changes what is laid over the tasks, not the file.
  return { ...loaded, tasks: overlaid(loaded.tracker, context.ports.store.state.tasks) };
}

type Loaded =
  | { readonly ok: true; readonly tracker: LoadedTracker; readonly tasks: readonly Task[] }
  | { readonly ok: false; readonly message: string };

/** The tracker as it is now, with ralph's own knowledge laid over it; a cycle or an unknown dependency is an error. */
export async function loadTasks({
  ports,
}: {
  readonly ports: Pick<LoopContext['ports'], 'tracker' | 'store'>;
}): Promise<Loaded> {
  const loaded = await ports.tracker.load();
  if (!loaded.ok) return loaded;
  const problems = [...loaded.problems, ...checkDependencies(loaded.tasks)];
  if (problems.length > 0) {
    const lines = problems.map(
      ({ line, message }) => `${loaded.name}${line === null ? '' : `:${line}`}: ${message}`,
    );
    return { ok: false, message: lines.join('\n') };
  }
  return { ok: true, tracker: loaded, tasks: overlaid(loaded, ports.store.state.tasks) };
}

function overlaid(
  { tasks, holdsBlocked }: LoadedTracker,
  states: LoopContext['ports']['store']['state']['tasks'],
): Task[] {
  return tasks.map((task) => ({ ...task, status: overlayStatus(task, states[task.id], holdsBlocked) }));
}

/** How the gates stand before the first attempt; the message says which tool is missing where that forbids a run. */
async function takeBaseline(context: LoopContext): Promise<string | null> {
  const { ports, gates, run } = context;
  const { store, git, emit, clock } = ports;
  if (gates.length === 0) return null;
  const { tree } = await git.snapshot();
  const previous = store.state.baseline;
  if (!needsBaseline(previous, tree, gates).needed) return null;
  emit({ kind: 'baseline_started', gates: gates.map(({ name }) => name) });
  const fresh = await runGates(context, gates, store.iterationFolder(run, 0));
  if (ports.stop.polite.aborted) return null;
  emit({ kind: 'baseline_finished', results: fresh });
  const missing = missingTools(fresh, gates);
  if (missing.fatal.length > 0) {
    const named = missing.fatal.map(({ gate, tool }) => `gate "${gate}" needs ${tool}, which was not found`);
    return `${named.join('; ')}. Install it, or set on_missing = "warn" or "skip" for that gate in .ralph/ralph.toml.`;
  }
  for (const { gate, tool } of missing.warnings) {
    emit({
      kind: 'warning',
      message: `Gate "${gate}" needs ${tool}, which was not found; the run goes on without it.`,
    });
  }
  const after = await git.snapshot();
  const baseline = nextBaseline({
    previous,
    specs: gates,
    fresh,
    tree: after.tree,
    at: clock.now(),
    heldPassed: [],
  });
  store.commit(() => [{ type: 'baseline_taken', baseline }]);
  return null;
}

async function switchBranch(
  { ports, config }: LoopContext,
  name: string,
  when: 'per_run' | 'per_task',
): Promise<string | null> {
  if (config.git.branch_strategy !== when) return null;
  const switched = await ports.git.switchBranch(name);
  return switched.ok ? null : `The branch ${name} could not be used: ${switched.reason}`;
}

/** Tree that the newest attempt on record left behind. */
function newestTree({ ports }: LoopContext): string | null {
  const attempts = Object.values(ports.store.state.tasks).flatMap((task) => task.attempts);
  const newest = attempts.reduce<(typeof attempts)[number] | null>(
    (best, attempt) => (best === null || attempt.iteration > best.iteration ? attempt : best),
    null,
  );
  return newest?.tree ?? null;
}
