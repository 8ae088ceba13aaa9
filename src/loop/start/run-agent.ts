import { forTask, goalOf, liveLine } from '../../actions/review/index.ts';
import {
  addToReport,
  asideEvents,
  endlessError,
  finishReport,
  messageOf,
  startReport,
  troubleEvents,
  usageOfSession,
  usageSoFar,
  withResetTime,
} from '../../agent/index.ts';
import { attemptSeconds, claimOf } from '../../decide/index.ts';
import {
  type AgentAdapter,
  type AgentPlan,
  type AgentReport,
  type HookPlace,
  lineReader,
  type ModelUsage,
  tokensOf,
} from '../../domain/agent.ts';
import type { ShownCopy } from '../../domain/box/box.ts';
import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { Resources } from '../../domain/intervention.ts';
import type { Observed } from '../../domain/observed.ts';
import type { AgentProcessResult, AttemptLimits, Halt, LineLog } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { ReviewFacts } from '../../domain/review.ts';
import { deferred } from '../../lib/deferred.ts';
import { redactor } from '../../lib/redact.ts';
import { onOneLine, shortened } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';
import { topIn } from '../lab/index.ts';
import { type AttemptWatch, type WatchOptions, watchAttempt } from '../watch/attempt-watch.ts';
import type { BudgetLedger } from '../watch/budget-watch.ts';
import { openDestructivePreview } from '../watch/destructive-preview.ts';
import { type ManualApprovals, openManualApprovals } from '../watch/manual-approvals.ts';
import { passOnGuidance } from '../watch/pass-on-guidance.ts';
import { NOWHERE, openReview, type PlannedReview, type ReviewSession } from '../watch/review-session.ts';

type AgentOptions = Pick<
  IterationFacts,
  'task' | 'taskState' | 'iteration' | 'attempt' | 'timeoutSeconds' | 'limits' | 'resumed' | 'budget'
> & {
  readonly adapter: AgentAdapter;
  readonly ledger: BudgetLedger;
  readonly review: PlannedReview;
  readonly prompt: string;
  /** Of the iteration; the prompt lies in it as `prompt.md`. `path`: the same relative to `.ralph/`. */
  readonly folder: string;
  readonly path: string;
  readonly correction: WatchOptions['correction'];
  /** Where it works. */
  readonly copy: ShownCopy;
  /** Of a role beside the maker, which isn't shown while it works; absent: the maker. */
  readonly support?: Support;
};

type Support = {
  /** `01-guardian`: no other agent of the iteration is called so. */
  readonly name: string;
  readonly role: string;
  readonly model: string | null;
};

type AgentResult = {
  readonly ended: AgentProcessResult;
  readonly report: AgentReport;
  /** The usage of the whole session. */
  readonly sessionUsage: readonly ModelUsage[];
  readonly review: ReviewFacts;
  /** Your messages to the agent while it worked. */
  readonly guidance: readonly string[];
  readonly observed: Observed;
  readonly resources: Resources;
  /** Once the log of its reviews can be put back where the agent took it away. */
  readonly closeLog: () => void;
};

/** Runs the agent once: under its limits, with its actions reviewed, and everything that it reports taken down. */
export async function runAgent(context: LoopContext, options: AgentOptions): Promise<AgentResult> {
  const { ports } = context;
  const { adapter, folder, resumed, limits, support, copy } = options;
  const root = topIn(context, copy);
  const log = ports.store.openLog(`${options.path}/reviews.jsonl`);
  const watch = watchAttempt({
    ...{ clock: ports.clock, root, realPath: ports.realPath, task: options.task, limits },
    secrets: context.secrets,
    ...{ agent: adapter.name, correction: options.correction },
  });
  const manual = manualOf(context, options);
  const review = reviewOf(context, options, watch, { log, manual });
  const [over, guidance] = [new AbortController(), [] as string[]];
  const hook = hookOf(context, options, review, listenerOf(context, options, watch, guidance, over.signal));
  const plan = planOf(context, options, null);
  let report = startReport({
    sessionId: plan.session ?? null,
    asked: support === undefined ? (options.budget.model ?? adapter.model) : (support.model ?? adapter.model),
    before: adapter.cumulativeUsage ? (resumed?.usage ?? []) : [],
  });
  const budget = options.ledger.watch(over.signal);
  const endless = deferred<Halt>();
  const now = () => Date.parse(ports.clock.now());
  let workedAt = now();
  const claimsDone = () =>
    claimOf({
      ...{ task: options.task, promptText: options.prompt, agentOutput: 'text', feedback: [] },
      report: finishReport(report, { kind: 'exited', code: 0 }),
    }).completion;
  const ended = await ports.proc.runAgent({
    plan,
    ...(hook === null ? {} : { hook }),
    halted: Promise.race([review.halted, watch.halted, budget.halted, endless.promise]),
    onMemory: watch.onMemory,
    promptFile: `${folder}/prompt.md`,
    ...{ cwd: root, copy },
    ...(support === undefined ? {} : { support }),
    agent: adapter.name,
    home: adapter.home,
    inherits: adapter.inherits,
    limits: timesOf(context, options),
    outputFile: `${folder}/output.log`,
    errorFile: `${folder}/errors.log`,
    timesFile: `${folder}/output.times`,
    parse: lineReader(adapter),
    plainText: adapter.plainText,
    toolSessions: adapter.toolSessions,
    onEvent: (reported) => {
      const isLimit = reported.kind === 'limit';
      const event = isLimit ? withResetTime(reported, now()) : reported;
      report = addToReport(report, event);
      if (event.kind === 'usage' || event.kind === 'tool_result') workedAt = now();
      const message = endlessError(report);
      if (message !== null) endless.resolve({ why: 'endless', message });
      review.onEvent(event);
      watch.onEvent(event);
      const used = usageSoFar(report);
      budget.onEvent(event, used);
      if (event.kind === 'usage') watch.onTokens(tokensOf(used));
      const action = event.kind === 'tool_call' ? liveLine(event.action) : null;
      if (support === undefined)
        ports.store.commit([
          { type: 'agent_reported', event, action, tokens: used.length === 0 ? null : tokensOf(used) },
        ]);
    },
    logFile: () => (report.sessionId === null ? null : (adapter.log?.file(report.sessionId) ?? null)),
    ...(manual === null ? {} : { waiting: manual.waiting }),
    ...(adapter.plainText && support === undefined
      ? { linger: { ms: lingerMs(context.config), claimsDone } }
      : {}),
    stop: ports.stop,
  });
  over.abort();
  await manual?.close();
  if (ended.end.kind !== 'exited' || ended.end.code !== 0) {
    for (const event of asideEvents(adapter, report, { ...ended, workedAt }))
      report = addToReport(report, withResetTime(event, now()));
  }
  const { errorTail } = ended;
  for (const event of troubleEvents(adapter, { text: messageOf(report), errorTail }))
    report = addToReport(report, withResetTime(event, now()));
  const hide = redactor(context.secrets);
  return {
    // Before anything of it is recorded, printed, or in the next prompt.
    ended: { ...ended, errorTail: hide(ended.errorTail) },
    report: hiddenIn(finishReport(report, ended.end), hide),
    sessionUsage: usageOfSession(report),
    review: { ...review.facts(), waiting: manual?.open() ?? [], log: log.written() },
    guidance,
    observed: watch.observed(),
    resources: watch.resources(Math.round(ended.durationMs)),
    closeLog: log.close,
  };
}

function hiddenIn(report: AgentReport, hide: (text: string) => string): AgentReport {
  const { finalMessage, errors, infrastructure } = report;
  return {
    ...report,
    finalMessage: hide(finalMessage),
    errors: errors.map(hide),
    infrastructure:
      infrastructure === null ? null : { ...infrastructure, message: hide(infrastructure.message) },
  };
}

/** What an agent of plain text that has said DONE may print and compute nothing for, before it is ended and judged. */
const LINGER_MS = 60_000;

/** It is over before the agent counts as idle. */
function lingerMs({ adaptive_timeout: { idle_timeout } }: LoopContext['config']): number {
  return idle_timeout === 0 ? LINGER_MS : Math.min(LINGER_MS, idle_timeout * 500);
}

function timesOf({ config }: LoopContext, { timeoutSeconds, limits }: AgentOptions): AttemptLimits {
  return {
    wallMs: attemptSeconds(timeoutSeconds, limits) * 1000,
    idleMs: config.adaptive_timeout.idle_timeout * 1000,
    graceMs: config.loop.grace * 1000,
  };
}

/** Characters of a command in a sentence. */
const COMMAND_CHARS = 80;
/** Characters of a task's title in the name of a session. */
const TITLE_CHARS = 80;

/** How the agent is started; with a hook, from the place where that is made. */
function planOf(context: LoopContext, options: AgentOptions, hook: HookPlace | null): AgentPlan {
  const { ports, run, review, reportFolder } = context;
  const { adapter, task, iteration, attempt, resumed, support, copy } = options;
  const root = topIn(context, copy);
  const place = support === undefined ? String(iteration) : `${iteration}-${support.name}`;
  return adapter.plan({
    prompt: options.prompt,
    promptFile: `${options.folder}/prompt.md`,
    cwd: root,
    model: support === undefined ? options.budget.model : support.model,
    extraArgs: [],
    env: {
      RALPH_RUN: run,
      RALPH_ITERATION: String(iteration),
      RALPH_TASK_ID: task.id,
      RALPH_ATTEMPT: String(attempt),
      RALPH_AGENT: adapter.name,
      ...(support === undefined ? {} : { RALPH_ROLE: support.role }),
      // What is reviewed is what the shell makes of it; in a box it is the same.
      ...(review === null ? {} : { TMPDIR: review.tmpdir.path }),
    },
    resume: resumed?.id ?? null,
    title: shortened(onOneLine(task.title), TITLE_CHARS),
    boxed: ports.proc.isBoxed,
    hook,
    session: uuidFrom(ports.ids.sha256(`${context.root} ${run} ${place}`)),
    // With the process id in front, as a later run knows by it what is left over.
    reportFile: `${reportFolder}/${ports.process.pid}-${run}-${place}/report.json`,
  });
}

/** A UUID (version 8, whose bits are the maker's own) of these digits: equal for equal ones. */
function uuidFrom(hex: string): string {
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}

/** `null`: its actions don't wait for you. Those of a role beside the maker change nothing but its copy. */
function manualOf(context: LoopContext, options: AgentOptions): ManualApprovals | null {
  const { task, taskState, iteration, adapter, review, support } = options;
  const because = taskState.decisions.manual;
  const isAsking = review.mode === 'hook' && context.review !== null;
  if (support !== undefined || (because === null && !isAsking)) return null;
  const { name: agent } = adapter;
  const place = context.review?.placeIn(options.copy) ?? NOWHERE;
  const preview = isAsking ? openDestructivePreview(context, { task, agent, place }) : null;
  const waitsSeconds = review.mode === 'hook' ? review.contract.waitsSeconds : 0;
  return openManualApprovals(context, { task, iteration, agent, because, preview, waitsSeconds });
}

function reviewOf(
  context: LoopContext,
  { adapter, review, task, taskState, iteration, copy }: AgentOptions,
  watch: AttemptWatch,
  { log, manual }: { readonly log: LineLog; readonly manual: ManualApprovals | null },
): ReviewSession {
  const { ports, config, gates, secrets, review: setup } = context;
  const { clock } = ports;
  const restricted = taskState.restriction !== null;
  const commands = gates.map(({ run: command }) => command.trim());
  const { settings, rules } = forTask(config.review, setup?.rules ?? [], task);
  return openReview({
    ...{ review, agent: adapter.name, iteration, taskId: task.id, settings, rules, clock },
    requireGate: restricted || manual?.each === true || (setup?.requireGate ?? false),
    approvals: manual,
    place: {
      ...(setup?.placeIn(copy) ?? NOWHERE),
      restricted: restricted ? commands : null,
    },
    goal: goalOf(task, commands),
    hide: redactor(secrets),
    beganAt: Date.parse(clock.now()),
    left: taskState.left,
    trustedGit: setup?.trustedGit ?? null,
    within: watch.within,
    onRewritten: (asked, ran) => {
      const was = shortened(onOneLine(asked), COMMAND_CHARS);
      const text = `A hook of yours changed a command of ${adapter.name} after its review: "${was}" ran as "${liveLine(ran)}".`;
      tellRewritten(context, { iteration, taskId: task.id }, redactor(secrets)(text));
    },
    onReview: (record, action) => {
      if (record.harmless) watch.onExcused(action);
      log.append(JSON.stringify(record));
    },
  });
}

function tellRewritten(
  { ports: { store, clock }, run, workplace: { worker } }: LoopContext,
  { iteration, taskId }: { readonly iteration: number; readonly taskId: string },
  summary: string,
): void {
  store.commit(({ counters }) => [
    {
      type: 'events_added',
      summary,
      events: [
        {
          ...{ id: `e-${counters.event + 1}`, iteration, run, worker, timestamp: clock.now() },
          ...{ event_type: 'command_rewritten', severity: 'warning', remediation_attempted: false },
          details: { task_id: taskId, summary },
        },
      ],
    },
  ]);
}

type Listener = (send: (text: string) => boolean) => void;

/** Hands the agent what it is to hear while it works: corrections, and what you say with `ralph feedback add`. */
function listenerOf(
  { ports: { store, clock } }: LoopContext,
  { adapter, task }: AgentOptions,
  watch: AttemptWatch,
  guidance: string[],
  until: AbortSignal,
): Listener {
  const sent = (text: string) => store.commit([{ type: 'guidance_sent', agent: adapter.name, text }]);
  return (send) => {
    watch.onOpen((text) => {
      const reached = send(text);
      if (reached) sent(text);
      return reached;
    });
    const onSent = ({ text }: FeedbackEntry) => {
      guidance.push(text);
      sent(text);
    };
    // A journal that can't be read is reported at the next record.
    passOnGuidance({ store, clock, taskId: task.id, send, onSent, until }).catch(() => undefined);
  };
}

/** The hook through which the agent asks before it acts; `null` where its actions are seen at most. */
function hookOf(context: LoopContext, options: AgentOptions, review: ReviewSession, onOpen: Listener) {
  const { hook } = options.adapter;
  // Who speaks a protocol is spoken to, whether it is reviewed or not.
  const contract =
    options.review.mode === 'hook' ? options.review.contract : hook?.transport === 'ACP' ? hook : null;
  if (contract === null || (context.review === null && contract.transport !== 'ACP')) return null;
  return {
    contract,
    folder: context.review?.hookFolder ?? context.reportFolder,
    plan: (place: HookPlace) => planOf(context, options, place),
    onMessage: review.onMessage,
    ...(context.config.interventions.mid_stream && options.support === undefined ? { onOpen } : {}),
  };
}
