import type { Ending } from '../decide/index.ts';
import { DECIDER_VERSION } from '../domain/records/iteration.ts';
import type { EndCause, RunRecord } from '../domain/records/run-record.ts';
import type { RunReport } from '../domain/run-report.ts';
import type { LoopContext, Progress } from './context.ts';
import { knownRun, reportOfRun } from './report-of-run.ts';

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

export type FinishedRun = RunReport & { readonly exitCode: number };

export function endNow({ ports: { clock } }: LoopContext, { ending, gateLost }: Finished) {
  return {
    ending: { ...ending, next: ending.next === null ? null : [...ending.next] },
    endedAt: clock.now(),
    gateLost: [...gateLost].map(([agent, why]) => ({ agent, why })),
  };
}

/** Writes `run.json` first, because the journal record has its hash. Returns the finished run. */
export async function finishRun(context: LoopContext, finished: Finished): Promise<FinishedRun> {
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
