import {
  type Choice,
  chooseNext,
  countTasks,
  type Ending,
  endingOfPick,
  endingOfProblem,
} from '../decide/index.ts';
import type { AutoUnblock } from '../domain/blocked.ts';
import type { ChoiceFacts, Reconciliation } from '../domain/choice.ts';
import { EXIT } from '../domain/exit.ts';
import { type IncidentSummary, openIncidents } from '../domain/incident.ts';
import type { LoopEvent, RunResult } from '../domain/loop-event.ts';
import type { EndCause } from '../domain/run-record.ts';
import { taskStateOf } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { VERDICT_COUNTING } from '../domain/verdict.ts';
import { selectTask } from '../tasks/index.ts';
import { choiceFacts } from './choice-facts.ts';
import type { LoopContext, Previous } from './context.ts';
import { finishRun } from './finish-run.ts';
import { runIteration } from './iteration/run-iteration.ts';
import { loadReconciled } from './load-tasks.ts';
import { endRollback } from './perform/roll-back.ts';
import { openRunDocuments } from './run-documents.ts';
import { takeBaseline } from './take-baseline.ts';
import { autoUnblock, unblockTasks } from './unblock-tasks.ts';
import { waitForAgent } from './wait.ts';
import { reviewPlans } from './watch/plan-review.ts';

export type LoopResult =
  | { readonly kind: 'finished'; readonly result: RunResult }
  /** Nothing was run: configuration, tracker or tools have to be fixed first (exit 2). */
  | { readonly kind: 'refused'; readonly message: string; readonly exitCode?: number };

/** The loop: works through the tasks until one of the endings of the specification holds. */
export async function runLoop(context: LoopContext): Promise<LoopResult> {
  const { ports, run, adapters, mode, config } = context;
  const agent = adapters[0].name;
  const { store, clock, emit } = ports;
  const startedMs = clock.monotonicMs();
  const startedAt = clock.now();
  const documents = openRunDocuments(run, ports);
  /** What was reconciled since the last choice. */
  const reconciled: Reconciliation[] = [];
  /** What was unblocked without being asked since the last choice. */
  const autoUnblocked: AutoUnblock[] = [];
  /** What was waited for since an iteration was begun. */
  const waits: ChoiceFacts['waits'] = [];
  /** Attempts by task, without those that a cause outside of the work ended: they use up nothing. */
  const attempts = new Map<string, number>();

  recoverInterrupted(context);
  const halfDone = await finishRollback(context);
  if (halfDone !== null) return { kind: 'refused', message: halfDone };
  const incident = openIncidents(store.state).at(-1);
  if (incident !== undefined) return refusedByIncident(incident);
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
      agent,
      mode: mode.name,
      pid: ports.process.pid,
      host: ports.process.host,
      version: ports.process.version,
    },
  ]);
  emit({
    kind: 'run_started',
    run,
    agent,
    mode: mode.name,
    tracker: first.tracker.name,
    tasks: countTasks(first.tasks),
  });

  if (context.retry !== undefined) {
    unblockTasks(context, context.retry.unblockings, first.tracker, false);
  }

  let iterations = 0;
  /** Iterations that count toward `max_iterations`. */
  let counted = 0;
  let working = agent;
  const plans = reviewPlans(context.review, emit);
  let previous: Previous = { tree: store.state.leftTree, snapshot: null };
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
      iterations: counted,
      attempts,
      reconciled: reconciled.splice(0),
      autoUnblocked: autoUnblocked.splice(0),
      waits: waits.splice(0),
    });
    const notTaken = () => {
      // What this choice knew goes to the next one.
      reconciled.push(...facts.reconciled);
      autoUnblocked.push(...facts.autoUnblocked);
      waits.push(...facts.waits);
    };
    const next = chooseNext(facts, { tasks, states: store.state.tasks });
    if (next.kind === 'end') {
      const { ending } = next;
      const asked = facts.asked?.id ?? null;
      const done = autoUnblock(context, {
        ending,
        iterations: counted,
        tracker: loaded.tracker,
        tasks,
        asked,
      });
      if (done !== null) {
        notTaken();
        autoUnblocked.push(done);
        continue;
      }
      end = { ending: next.ending, cause: { kind: 'choice', facts } };
      break;
    }
    if (next.kind === 'wait') {
      const { wait, reason } = next;
      await waitForAgent(context, { wait, reason, facts: facts.availability });
      notTaken();
      waits.push({ facts: facts.availability, wait });
      // A person may have worked in the meantime.
      previous = { ...previous, snapshot: null };
      continue;
    }
    const { task, why } = next;
    const adapter = adapterOf(context, next.agent);
    if (next.agent !== working) emit(switched(next, working));
    working = next.agent;
    const unusable = await switchBranch(context, `${config.git.branch_prefix}${task.id}`, 'per_task');
    if (unusable !== null) {
      end = problem(unusable);
      break;
    }
    const restricted = taskStateOf(store.state, task.id).restriction !== null;
    const planned = plans.next(adapter, restricted);
    if (!planned.ok) {
      end = problem(planned.message);
      break;
    }
    const { review } = planned;
    const chosen = { task, why, adapter, review, choice: facts, tracker: loaded.tracker, tasks, documents };
    const outcome = await runIteration(context, chosen, previous);
    if (outcome.kind === 'refused') {
      end = problem(outcome.message);
      break;
    }
    if (outcome.gateLost !== null) plans.lose(adapter, outcome.gateLost);
    iterations += 1;
    previous = outcome.previous;
    if (outcome.problem !== null) {
      end = problem(outcome.problem);
      break;
    }
    if (!VERDICT_COUNTING[outcome.decisions.verdict.kind].infrastructure) {
      counted += 1;
      attempts.set(task.id, (attempts.get(task.id) ?? 0) + 1);
    }
  }

  const result = await finishRun(context, {
    ...end,
    tasks,
    iterations,
    startedAt,
    startedMs,
    gateLost: plans.lost,
  });
  emit({ kind: 'run_finished', result });
  return { kind: 'finished', result };
}

type End = { readonly ending: Ending; readonly cause: EndCause };

function problem(message: string): End {
  return { ending: endingOfProblem(message), cause: { kind: 'problem', message } };
}

function adapterOf({ adapters }: LoopContext, name: string): LoopContext['adapters'][0] {
  const adapter = adapters.find((one) => one.name === name);
  if (adapter === undefined) throw new Error(`${name} is no agent of this run`);
  return adapter;
}

function switched({ agent, because }: Extract<Choice, { kind: 'task' }>, from: string): LoopEvent {
  return { kind: 'agent_switched', agent, from, reason: because ?? `${agent} may be tried again` };
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

/** A rollback that a dead loop left half done is ended; why it cannot be, else `null`. */
async function finishRollback({ ports }: LoopContext): Promise<string | null> {
  const checkpoint = ports.store.state.openRollback?.checkpoint;
  const back = await endRollback(ports);
  if (back === null) return null;
  if (back.ok === false) return back.message;
  if (back.ok === 'refused') {
    ports.emit({ kind: 'warning', message: back.reason });
    return null;
  }
  ports.emit({
    kind: 'warning',
    message: `The rollback to checkpoint ${checkpoint} was cut off and is ended now. What it replaced is kept as ${back.kept.join(', ')}.`,
  });
  return null;
}

function refusedByIncident({ id, summary, taskId }: IncidentSummary): LoopResult {
  return {
    kind: 'refused',
    exitCode: EXIT.emergencyStop,
    message: [
      `Runs are paused until you resolve ${id}: ${summary}`,
      `Read it with \`ralph incidents show ${id}\`, then choose with \`ralph resume ${id}\` (task ${taskId}).`,
    ].join('\n'),
  };
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
