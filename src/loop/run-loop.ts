import { type Ending, stoppedText } from '../decide/index.ts';
import type { PolicyStop } from '../domain/policy.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import { DECIDER_VERSION } from '../domain/records/iteration.ts';
import type { EndCause, RunRecord } from '../domain/records/run-record.ts';
import type { RunReport } from '../domain/run-report.ts';
import type { Task } from '../domain/task.ts';
import { decidePolicy } from '../respond/policy/index.ts';
import type { LoopContext, Progress } from './context.ts';
import { openCrew } from './crew.ts';
import { pruneRemote } from './fleet/prune-remote.ts';
import { openNotifier } from './notifier.ts';
import { takeCheckpoint } from './perform/checkpoint.ts';
import { commitMarks } from './perform/commit-marks.ts';
import { publish } from './perform/publish.ts';
import { knownRun, reportOfRun } from './report-of-run.ts';
import { openRunDocuments } from './run-documents.ts';
import { type RunStart, startRun } from './start-run.ts';
import { awaitWorker, awaitWorkerOrNews, type RunTools, type Step, takeStep } from './take-step.ts';
import { reviewPlans } from './watch/plan-review.ts';
import { watchWorkerStops } from './watch/worker-stop.ts';

type LoopResult =
  | { readonly kind: 'finished'; readonly report: FinishedRun }
  | Extract<RunStart, { kind: 'refused' }>;

export async function runLoop(asked: LoopContext): Promise<LoopResult> {
  const { clock, store } = asked.ports;
  const began = { startedMs: clock.monotonicMs(), startedAt: clock.now() };
  const start = await startRun(asked, began.startedAt);
  if (start.kind === 'refused') return start;
  const context = { ...asked, gates: start.gates };
  const notifier = openNotifier(context);
  const tools: RunTools = {
    notifier,
    documents: openRunDocuments(context.run, context.ports),
    plans: reviewPlans(context.review, store),
    crew: openCrew(context),
  };
  const over = new AbortController();
  // A journal that can't be read is reported when the next entry is written.
  watchWorkerStops(context, tools.crew.endStopped, over.signal).catch(() => undefined);
  try {
    const ended = await takeSteps(context, tools, start.progress);
    const finished = { ...began, ...ended, gateLost: tools.plans.failedHooks };
    // After a critical finding, nothing is pushed until you resolve it.
    if (ended.ending.kind !== 'emergency_stop') {
      await publish(context, { tasks: ended.progress.tasks, end: endNow(context, finished) });
      await pruneRemote(context);
    }
    await notifier.delivered();
    const report = await finishRun(context, finished);
    store.commit([{ type: 'run_reported', report }]);
    await notifier.delivered();
    return { kind: 'finished', report };
  } finally {
    over.abort();
    await notifier.close();
  }
}

async function takeSteps(
  context: LoopContext,
  tools: RunTools,
  start: Progress,
): Promise<Extract<Step, { kind: 'end' }>> {
  const { crew } = tools;
  let progress = start;
  for (;;) {
    const isFull = crew.working().length > 0 && crew.free() === 0;
    let step = isFull
      ? await awaitWorker(context, tools, progress)
      : await takeStep(context, tools, progress);
    if (step.kind === 'busy') step = await awaitWorkerOrNews(context, tools, step);
    progress = step.progress;
    if (step.kind !== 'end') continue;
    while (crew.working().length > 0) progress = (await awaitWorker(context, tools, progress)).progress;
    await stopByPolicy(context, { ...step, tasks: progress.tasks });
    await commitMarks(context);
    return { ...step, progress };
  }
}

type Finished = {
  readonly ending: Ending;
  readonly cause: EndCause;
  readonly progress: Progress;
  readonly startedAt: string;
  /** Start of the run on the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  /** Agents whose review hook stopped working, with the reasons. */
  readonly gateLost: ReadonlyMap<string, string>;
};

type FinishedRun = RunReport & { readonly exitCode: number };

function endNow({ ports: { clock } }: LoopContext, { ending, gateLost }: Finished) {
  return {
    ending: { ...ending, next: ending.next === null ? null : [...ending.next] },
    endedAt: clock.now(),
    gateLost: [...gateLost].map(([agent, why]) => ({ agent, why })),
  };
}

/** Writes `run.json` first, because the journal record has its hash. Returns the finished run. */
async function finishRun(context: LoopContext, finished: Finished): Promise<FinishedRun> {
  const { ports, run, adapters, mode } = context;
  const { store, clock, ids } = ports;
  const { ending, cause, startedAt, progress } = finished;
  const { iterations } = progress;
  await store.unlocked();
  const end = endNow(context, finished);
  const durationMs = Math.round(clock.monotonicMs() - finished.startedMs);
  const report = await reportOfRun(context, { tasks: progress.tasks, end });
  const runSummary = knownRun(context);
  const record: RunRecord = {
    $schema: 'ralph.run.v1',
    decider: DECIDER_VERSION,
    run,
    agent: adapters[0].name,
    mode: mode.name,
    version: ports.process.version,
    startedAt,
    durationMs,
    cause,
    iterations,
    tasks: report.tasks,
    done: runSummary.done,
    blocked: runSummary.blocked,
    ...report.spent,
    review_summary: report.reviewSummary,
    blocked_actions: [...report.blockedActions],
    ...end,
  };
  const text = `${JSON.stringify(record, null, 1)}\n`;
  store.writeDocument(`runs/${run}/run.json`, text);
  const recordSha256 = ids.sha256(text);
  const { head } = await ports.git.refs();
  store.commit(() => [
    { type: 'run_finished', run, ending: ending.kind, exitCode: ending.exitCode, recordSha256, head },
  ]);
  store.writeViews();
  return { ...report, exitCode: ending.exitCode };
}

async function stopByPolicy(
  context: LoopContext,
  { ending, cause, tasks }: { ending: Ending; cause: EndCause; tasks: readonly Task[] },
): Promise<void> {
  if (cause.kind !== 'choice' || (ending.kind !== 'budget' && ending.kind !== 'break')) return;
  const decided = decidePolicy(cause.facts.policy);
  // A break because of a suspended agent isn't a stop by a policy.
  if (decided.kind !== 'stop' || stoppedText(decided.stop.reason) !== ending.reason) return;
  const { ports, run } = context;
  const { store } = ports;
  const { kind, reason, trigger } = decided.stop;
  const stop: PolicyStop = { kind, run, reason, trigger, times: store.state.policy.stops[kind] + 1 };
  await takeCheckpoint(context, tasks, { why: 'stop', stop });
  store.commit(() => [
    { type: 'policy_stopped', stop, event: trigger === null ? null : breakEvent(context, stop) },
  ]);
}

function breakEvent(
  { ports, run, workplace }: LoopContext,
  { trigger, reason }: PolicyStop,
): InterventionEvent {
  const { store, clock } = ports;
  const { counters, runs, policy } = store.state;
  const runSummary = runs.findLast((one) => one.run === run);
  return {
    id: `e-${counters.event + 1}`,
    iteration: counters.iteration,
    run,
    worker: workplace.worker,
    event_type: 'wiggum.break',
    timestamp: clock.now(),
    severity: 'critical',
    details: {
      task_id: trigger?.taskId ?? null,
      trigger: trigger?.kind ?? null,
      hard: trigger?.hard ?? null,
      reason,
      run_state: {
        iterations: runSummary?.iterations ?? 0,
        done: runSummary?.done ?? [],
        blocked: runSummary?.blocked ?? [],
        spent: policy.budget.spent,
      },
      unresolved_findings: trigger?.unresolved ?? [],
    },
    remediation_attempted: true,
  };
}
