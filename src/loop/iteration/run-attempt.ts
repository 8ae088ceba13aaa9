import { addToReport, finishReport, startReport } from '../../agent/index.ts';
import { attemptSeconds, shareOf } from '../../decide/index.ts';
import {
  type AgentAdapter,
  type AgentReport,
  type AgentSession,
  type HookPlace,
  tokensOf,
} from '../../domain/agent.ts';
import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { Limits, Resources } from '../../domain/intervention.ts';
import type { Observed } from '../../domain/observed.ts';
import type { AgentProcessResult } from '../../domain/ports.ts';
import type { ReviewFacts } from '../../domain/review.ts';
import type { Task } from '../../domain/task.ts';
import { liveLine } from '../../review/index.ts';
import type { LoopContext } from '../context.ts';
import { type WatchOptions, watchAttempt } from '../watch/attempt-watch.ts';
import { passOnGuidance } from '../watch/pass-on-guidance.ts';
import { NOWHERE, openReview, type PlannedReview, rulingLine } from '../watch/review-session.ts';

export type AttemptOptions = {
  readonly task: Task;
  readonly adapter: AgentAdapter;
  readonly review: PlannedReview;
  readonly iteration: number;
  /** 1 for the first attempt of the series. */
  readonly attempt: number;
  readonly prompt: string;
  /** Of the iteration; the prompt lies in it as `prompt.md`. */
  readonly folder: string;
  readonly timeoutSeconds: number;
  readonly limits: Limits;
  /** Whether a restriction of yours applies. */
  readonly restricted: boolean;
  readonly correction: WatchOptions['correction'];
  readonly resumed: AgentSession | null;
};

export type Attempted = {
  readonly ended: AgentProcessResult;
  /** As the agent reported it. */
  readonly reported: AgentReport;
  readonly review: ReviewFacts;
  /** Lines of `reviews.jsonl`. */
  readonly rulings: readonly string[];
  /** What you told the agent while it worked. */
  readonly guidance: readonly string[];
  readonly observed: Observed;
  readonly resources: Resources;
};

/** Runs the agent once: under its limits, with its actions reviewed, and everything that it tells taken down. */
export async function runAttempt(context: LoopContext, options: AttemptOptions): Promise<Attempted> {
  const { ports, config, run, root } = context;
  const { store, proc, clock, emit } = ports;
  const { task, adapter, iteration, attempt, folder, resumed, limits } = options;
  const promptFile = `${folder}/prompt.md`;
  const planWith = (hook: HookPlace | null) =>
    adapter.plan({
      prompt: options.prompt,
      promptFile,
      cwd: root,
      model: null,
      extraArgs: [],
      env: {
        RALPH_RUN: run,
        RALPH_ITERATION: String(iteration),
        RALPH_TASK_ID: task.id,
        RALPH_ATTEMPT: String(attempt),
        RALPH_AGENT: adapter.name,
      },
      resume: resumed?.id ?? null,
      hook,
    });

  const rulings: string[] = [];
  const watch = watchAttempt({
    ...{ clock, root, task, limits, secrets: context.secrets },
    ...{ agent: adapter.name, correction: options.correction },
  });
  const review = openReview({
    review: options.review,
    agent: adapter.name,
    requireGate: options.restricted || (context.review?.requireGate ?? false),
    place: {
      ...(context.review?.place ?? NOWHERE),
      restricted: options.restricted ? context.gates.map(({ run: command }) => command.trim()) : null,
    },
    within: watch.within,
    onRuling: (action, ruling) => {
      rulings.push(JSON.stringify(rulingLine(action, ruling, clock.now())));
    },
  });
  const over = new AbortController();
  const guidance: string[] = [];
  const listen = (send: (text: string) => boolean) => {
    watch.onOpen((text) => {
      const reached = send(text);
      if (reached) emit({ kind: 'guidance_sent', agent: adapter.name, text });
      return reached;
    });
    const onSent = (entry: FeedbackEntry) => {
      guidance.push(entry.text);
      emit({ kind: 'guidance_sent', agent: adapter.name, text: entry.text });
    };
    const passing = passOnGuidance({ store, clock, taskId: task.id, send, onSent, until: over.signal });
    // A journal that can't be read is reported at the next record.
    passing.catch(() => undefined);
  };
  const hook =
    options.review.mode === 'hook' && context.review !== null
      ? {
          contract: options.review.contract,
          folder: context.review.hookFolder,
          plan: planWith,
          onMessage: review.onMessage,
          ...(config.interventions.mid_stream ? { onOpen: listen } : {}),
        }
      : undefined;

  let report = startReport();
  const ended = await proc.runAgent({
    plan: planWith(null),
    ...(hook === undefined ? {} : { hook }),
    halted: Promise.race([review.halted, watch.halted]),
    onMemory: watch.onMemory,
    promptFile,
    cwd: root,
    limits: {
      wallMs: attemptSeconds(options.timeoutSeconds, limits) * 1000,
      idleMs: config.adaptive_timeout.idle_timeout * 1000,
      graceMs: config.loop.grace * 1000,
    },
    outputFile: `${folder}/output.log`,
    errorFile: `${folder}/errors.log`,
    parse: adapter.parse,
    plainText: adapter.plainText,
    onEvent: (event) => {
      report = addToReport(report, event);
      review.onEvent(event);
      watch.onEvent(event);
      if (event.kind === 'usage') watch.onTokens(tokensOf(shareOf(report.usage, resumed, adapter)));
      emit({
        kind: 'agent_event',
        event,
        action: event.kind === 'tool_call' ? liveLine(event.action) : null,
      });
    },
    stop: ports.stop,
  });
  over.abort();
  return {
    ended,
    reported: finishReport(report, ended.end),
    review: review.facts(),
    rulings,
    guidance,
    observed: watch.observed(),
    resources: watch.resources(Math.round(ended.durationMs)),
  };
}
