import { type Ending, reportRun, suggestFor } from '../decide/index.ts';
import { DECIDER_VERSION } from '../domain/records/iteration.ts';
import type { EndCause, RunRecord } from '../domain/records/run-record.ts';
import type { RunReport } from '../domain/run-report.ts';
import type { LoopContext, Progress } from './context.ts';
import { overlaid } from './load-tasks.ts';
import { budgetLimits } from './policy-facts.ts';

type Finished = {
  readonly ending: Ending;
  /** What the ending follows from. */
  readonly cause: EndCause;
  readonly progress: Progress;
  readonly startedAt: string;
  /** By the monotonic clock. */
  readonly startedMs: number;
  /** Agents whose gate did not hold, with the reason. */
  readonly gateLost: ReadonlyMap<string, string>;
};

/** The report of a run that ended in order. */
export type FinishedRun = RunReport & { readonly exitCode: number };

/** Records how the run ended and why (`run.json`, then the journal), and emits the summary. */
export async function finishRun(context: LoopContext, finished: Finished): Promise<FinishedRun> {
  const { ports, run, adapters, mode, config } = context;
  const { store, clock, ids, tracker } = ports;
  const { ending, cause, startedAt, progress } = finished;
  const { iterations } = progress;
  await store.unlocked();
  const load = await tracker.load();
  const tasks = load.ok ? overlaid(load, store.refresh()) : progress.tasks;
  const state = store.state;
  const known = state.runs.findLast((one) => one.run === run);
  if (known === undefined) throw new Error(`${run} isn't on record`);
  const endedAt = clock.now();
  const durationMs = Math.round(clock.monotonicMs() - finished.startedMs);
  const gateLost = [...finished.gateLost].map(([agent, why]) => ({ agent, why }));
  const ended = { ...ending, next: ending.next === null ? null : [...ending.next] };
  const given = { state, config, tracker: load.ok ? load.name : 'the task list', exists: ports.exists };
  const report = reportRun({
    run: known,
    earlier: [],
    end: { ending: ended, endedAt, gateLost },
    ...{ running: false, newest: true, baseline: state.baseline, tasks, state },
    workplace: context.workplace,
    limits: budgetLimits(config),
    now: endedAt,
    suggest: config.unblock.auto_suggest ? (task) => suggestFor(task, given) : null,
  });
  const record: RunRecord = {
    $schema: 'ralph.run.v1',
    decider: DECIDER_VERSION,
    run,
    agent: adapters[0].name,
    mode: mode.name,
    version: ports.process.version,
    startedAt,
    endedAt,
    durationMs,
    cause,
    ending: ended,
    iterations,
    tasks: report.tasks,
    done: known.done,
    blocked: known.blocked,
    ...report.spent,
    review_summary: report.reviewSummary,
    blocked_actions: [...report.blockedActions],
    gateLost,
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
