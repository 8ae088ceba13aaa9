import { type Ending, suggestFor, summariseRun } from '../decide/index.ts';
import type { RunResult } from '../domain/loop-event.ts';
import { DECIDER_VERSION } from '../domain/records/iteration.ts';
import type { EndCause, RunRecord } from '../domain/records/run-record.ts';
import type { LoopContext, Progress } from './context.ts';
import { overlaid } from './load-tasks.ts';

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

/** Records how the run ended and why (`run.json`, then the journal), and emits the summary. */
export async function finishRun(context: LoopContext, finished: Finished): Promise<RunResult> {
  const { ports, run, adapters, mode, config } = context;
  const { store, clock, ids, tracker } = ports;
  const { ending, cause, startedAt, progress } = finished;
  const { iterations } = progress;
  await store.unlocked();
  const load = await tracker.load();
  const tasks = load.ok ? overlaid(load, store.refresh()) : progress.tasks;
  const given = {
    state: store.state,
    config,
    tracker: load.ok ? load.name : 'the task list',
    exists: ports.exists,
  };
  const result = summariseRun({
    run,
    ending,
    tasks,
    state: store.state,
    iterations,
    commits: config.git.commit !== 'never',
    suggest: config.unblock.auto_suggest ? (task) => suggestFor(task, given) : null,
    gateLost: [...finished.gateLost].map(([agent, why]) => ({ agent, why })),
    durationMs: Math.round(clock.monotonicMs() - finished.startedMs),
  });
  const known = store.state.runs.findLast((one) => one.run === run);
  const record: RunRecord = {
    $schema: 'ralph.run.v1',
    decider: DECIDER_VERSION,
    run,
    agent: adapters[0].name,
    mode: mode.name,
    version: ports.process.version,
    startedAt,
    endedAt: clock.now(),
    durationMs: result.durationMs,
    cause,
    ending: { ...ending, next: ending.next === null ? null : [...ending.next] },
    iterations,
    tasks: result.tasks,
    done: known?.done ?? [],
    blocked: known?.blocked ?? [],
    ...result.spent,
  };
  const text = `${JSON.stringify(record, null, 1)}\n`;
  store.writeDocument(`runs/${run}/run.json`, text);
  const recordSha256 = ids.sha256(text);
  const { head } = await ports.git.refs();
  store.commit(() => [
    { type: 'run_finished', run, ending: ending.kind, exitCode: result.exitCode, recordSha256, head },
  ]);
  store.writeViews();
  return result;
}
