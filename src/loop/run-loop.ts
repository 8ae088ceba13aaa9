import type { LoopContext, Progress } from './context.ts';
import { openCrew } from './crew.ts';
import { endNow, type FinishedRun, finishRun } from './finish-run.ts';
import { pruneRemote } from './fleet/prune-remote.ts';
import { openNotifier } from './notifier.ts';
import { commitMarks } from './perform/commit-marks.ts';
import { publish } from './perform/publish.ts';
import { stopByPolicy } from './perform/stop-by-policy.ts';
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
