import type { AutoUnblock } from '../domain/blocked.ts';
import type { Reconciliation } from '../domain/choice.ts';
import type { RunResult } from '../domain/loop-event.ts';
import type { EndCause } from '../domain/run-record.ts';
import type { Task } from '../domain/task.ts';
import { selectTask } from '../tasks/index.ts';
import { choiceFacts, chooseNext } from './choose.ts';
import type { LoopContext } from './context.ts';
import { countTasks } from './count-tasks.ts';
import { type Ending, endingOfPick, endingOfProblem, infrastructureEnding } from './ending.ts';
import { finishRun } from './finish-run.ts';
import { loadReconciled } from './load-tasks.ts';
import { openRunDocuments } from './run-documents.ts';
import { type Previous, runIteration } from './run-iteration.ts';
import { takeBaseline } from './take-baseline.ts';
import { autoUnblock, unblockTasks } from './unblock-tasks.ts';

export type LoopResult =
  | { readonly kind: 'finished'; readonly result: RunResult }
  /** Nothing was run: configuration, tracker or tools have to be mended first (exit 2). */
  | { readonly kind: 'refused'; readonly message: string };

/** The loop: works through the tasks until one of the endings of the specification holds. */
export async function runLoop(context: LoopContext): Promise<LoopResult> {
  const { ports, run, adapter, mode, config } = context;
  const { store, clock, emit } = ports;
  const startedMs = clock.monotonicMs();
  const startedAt = clock.now();
  const documents = openRunDocuments(run, ports);
  /** What was reconciled since the last choice. */
  const reconciled: Reconciliation[] = [];
  /** What was unblocked without being asked since the last choice. */
  const autoUnblocked: AutoUnblock[] = [];
  const attempts = new Map<string, number>();

  recoverInterrupted(context);
  const first = await loadReconciled(context, reconciled);
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

  if (context.retry !== undefined) {
    unblockTasks(context, context.retry.unblockings, first.tracker, false);
  }

  let iterations = 0;
  let previous: Previous = { tree: newestTree(context), snapshot: null };
  let end: End | null = null;
  let tasks: readonly Task[] = first.tasks;
  while (end === null) {
    const loaded = await loadReconciled(context, reconciled);
    if (!loaded.ok) {
      end = problem(loaded.message);
      break;
    }
    tasks = loaded.tasks;
    const facts = choiceFacts(context, {
      tasks,
      documents,
      iterations,
      attempts,
      reconciled: reconciled.splice(0),
      autoUnblocked: autoUnblocked.splice(0),
    });
    const next = chooseNext(facts, { tasks, states: store.state.tasks, agent: adapter.name });
    if (next.kind === 'end') {
      const { ending } = next;
      const asked = facts.asked?.id ?? null;
      const done = autoUnblock(context, { ending, iterations, tracker: loaded.tracker, tasks, asked });
      if (done !== null) {
        // This choice is not taken: what it knew goes to the next one.
        reconciled.push(...facts.reconciled);
        autoUnblocked.push(...(facts.autoUnblocked ?? []), done);
        continue;
      }
      end = { ending: next.ending, cause: { kind: 'choice', facts } };
      break;
    }
    const { task, why } = next;
    const unusable = await switchBranch(context, `${config.git.branch_prefix}${task.id}`, 'per_task');
    if (unusable !== null) {
      end = problem(unusable);
      break;
    }
    const chosen = { task, why, choice: facts, tracker: loaded.tracker, tasks, documents };
    const outcome = await runIteration(context, chosen, previous);
    if (outcome.kind === 'refused') {
      end = problem(outcome.message);
      break;
    }
    iterations += 1;
    attempts.set(task.id, (attempts.get(task.id) ?? 0) + 1);
    previous = outcome.previous;
    const ending = infrastructureEnding(outcome.decisions.verdict, adapter.name);
    if (ending !== null) {
      end = { ending, cause: { kind: 'verdict', iteration: store.state.counters.iteration } };
    }
  }

  const result = await finishRun(context, { ...end, tasks, iterations, startedAt, startedMs });
  emit({ kind: 'run_finished', result });
  return { kind: 'finished', result };
}

type End = { readonly ending: Ending; readonly cause: EndCause };

function problem(message: string): End {
  return { ending: endingOfProblem(message), cause: { kind: 'problem', message } };
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
