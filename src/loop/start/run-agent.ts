import { forTask, goalOf, liveLine } from 'ralph-actions/review';
import {
  addToReport,
  endlessError,
  finishReport,
  hasStatusBlock,
  hiddenSettings,
  hiddenText,
  openOutOfBand,
  outOfBandEvents,
  startReport,
  usageOfSession,
  usageSoFar,
  withResetTime,
} from 'ralph-agents';
import { type AgentEvent, type AgentReport, type ModelUsage, tokensOf } from 'ralph-agents/event';
import type { HookPlace } from 'ralph-agents/hook';
import { isWordsAlone } from 'ralph-agents/known';
import { type AgentAdapter, type AgentPlan, lineReader } from 'ralph-agents/protocol';
import type { MountedCopy } from 'ralph-box/protocol';
import { deferred } from 'ralph-kit/deferred';
import { lastErrorIn } from 'ralph-kit/error-line';
import { redactor } from 'ralph-kit/redact';
import { onOneLine, shortened } from 'ralph-kit/text';
import { attemptSeconds, claimOf } from '../../decide/index.ts';
import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { Resources } from '../../domain/intervention.ts';
import type { Observed } from '../../domain/observed.ts';
import type { AgentProcessResult, AttemptLimits, Halt, LineLog } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { ReviewFacts } from '../../domain/review.ts';
import { topIn } from '../../lab/index.ts';
import type { LoopContext } from '../context.ts';
import { type AttemptWatch, type WatchOptions, watchAttempt } from '../watch/attempt-watch.ts';
import type { BudgetLedger } from '../watch/budget-watch.ts';
import { openDestructivePreview } from '../watch/destructive-preview.ts';
import { type ManualApprovals, openManualApprovals } from '../watch/manual-approvals.ts';
import { passOnGuidance } from '../watch/pass-on-guidance.ts';
import { NO_PLACE, openReview, type PlannedReview, type ReviewSession } from '../watch/review-session.ts';
import { watchRetries } from '../watch/service-retries.ts';
import { type OpenWaiting, openWaiting } from '../watch/waiting.ts';

type AgentOptions = Pick<
  IterationFacts,
  'task' | 'taskState' | 'iteration' | 'attempt' | 'timeoutSeconds' | 'limits' | 'resumed' | 'budget'
> & {
  readonly adapter: AgentAdapter;
  readonly ledger: BudgetLedger;
  readonly review: PlannedReview;
  readonly prompt: string;
  /** Absolute path of the prompt's file. */
  readonly promptFile: string;
  /** Absolute path of the folder for the agent's output. `path` is the same folder relative to `.ralph/`. */
  readonly folder: string;
  readonly path: string;
  readonly correction: WatchOptions['correction'];
  /** The copy in which the agent works. */
  readonly copy: MountedCopy;
  /** The agent's role beside the maker, whose work isn't shown live; absent: the agent is the maker. */
  readonly support?: Support;
};

type Support = {
  /** Unique name in the iteration, such as `01-guardian`. */
  readonly name: string;
  readonly role: string;
  readonly model: string | null;
};

type AgentResult = {
  readonly ended: AgentProcessResult;
  readonly report: AgentReport;
  /** Usage of the whole session, with earlier attempts in it. */
  readonly sessionUsage: readonly ModelUsage[];
  readonly review: ReviewFacts;
  /** Messages that you sent to the agent while it worked. */
  readonly guidance: readonly string[];
  readonly observed: Observed;
  readonly resources: Resources;
  /** Closes the log of reviews, and restores it if the agent removed it. */
  readonly closeLog: () => void;
};

/** Runs the agent once: within its limits, with its actions reviewed. Returns everything that it reported. */
export async function runAgent(context: LoopContext, options: AgentOptions): Promise<AgentResult> {
  const { ports } = context;
  const { adapter, folder, resumed, limits, support, copy } = options;
  const root = topIn(context, copy);
  const log = ports.store.openLog(`${options.path}/reviews.jsonl`);
  const watch = watchAttempt({
    clock: ports.clock,
    root,
    realPath: ports.realPath,
    task: options.task,
    limits,
    secrets: context.secrets,
    agent: adapter.name,
    correction: options.correction,
  });
  const waiting = openWaiting(ports.clock);
  const manual = manualOf(context, options, waiting);
  const review = reviewOf(context, options, watch, { log, manual });
  const [over, guidance] = [new AbortController(), [] as string[]];
  const listener = listenerOf(context, options, watch, guidance, over.signal);
  const costLimitUsd = await costLimitOf(context, options);
  const planIn = (place: HookPlace | null) => planOf(context, options, costLimitUsd, place);
  const hook = hookOf(context, options, review, { onOpen: listener, planIn });
  const plan = planIn(null);
  let report = startReport({
    sessionId: plan.session ?? null,
    requestedModel:
      support === undefined ? (options.budget.model ?? adapter.model) : (support.model ?? adapter.model),
    earlierUsage: adapter.cumulativeUsage ? (resumed?.usage ?? []) : [],
  });
  const budget = options.ledger.watch(over.signal);
  const endless = deferred<Halt>();
  const times = timesOf(context, options);
  const retries = watchRetries({
    clock: ports.clock,
    agent: adapter.name,
    wallMs: times.wallMs,
    waiting,
  });
  const { errorLine, log: logged } = openOutOfBand(adapter);
  const now = () => Date.parse(ports.clock.now());
  let workedAt = now();
  const claimsDone = () =>
    claimOf({
      task: options.task,
      promptText: options.prompt,
      agentOutput: 'text',
      feedback: [],
      report: finishReport(report, { kind: 'exited', code: 0 }),
    }).completion;
  const result = await ports.proc.runAgent({
    plan,
    ...(hook === null ? {} : { hook }),
    halted: Promise.race([review.halted, watch.halted, budget.halted, endless.promise, retries.halted]),
    onMemory: watch.onMemory,
    promptFile: options.promptFile,
    cwd: root,
    copy,
    ...(support === undefined ? {} : { support }),
    agent: adapter.name,
    home: adapter.home,
    inherits: adapter.inherits,
    limits: times,
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
      if (WORK.has(event.kind)) workedAt = now();
      const { limit, ...followed } = retries.onEvent(event);
      if (limit !== undefined) report = addToReport(report, limit);
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
          {
            type: 'agent_reported',
            event,
            action,
            ...followed,
            tokens: used.length === 0 ? null : tokensOf(used),
          },
        ]);
    },
    logFile: () => (report.sessionId === null ? null : (adapter.log?.file(report.sessionId) ?? null)),
    ...(errorLine === null ? {} : { parseError: errorLine }),
    ...(logged === null
      ? {}
      : { parseLog: (text: string) => logged(text, workedAt, report.sessionId ?? '') }),
    waiting,
    ...(adapter.plainText && support === undefined
      ? { linger: { ms: lingerMs(context.config), claimsDone } }
      : {}),
    stop: ports.stop,
  });
  const ended = { ...result, end: budget.endOf(result.end) };
  over.abort();
  const retried = retries.close();
  await manual?.close();
  for (const event of outOfBandEvents(adapter, report, { ...ended, workedAt }))
    report = addToReport(report, withResetTime(event, now()));
  // Secrets are removed before the text is shortened, recorded, printed or put into a prompt.
  const hide = redactor(context.secrets);
  const shown = { ...ended, errorTail: hide(ended.errorTail) };
  return {
    ended: shown,
    report: withHidden(context, adapter, plan, hiddenIn(finishReport(report, ended.end, now()), hide), shown),
    sessionUsage: usageOfSession(report),
    review: { ...(await review.facts()), waiting: manual?.open() ?? [], log: log.written() },
    guidance,
    observed: { ...watch.observed(), ...(retried === null ? {} : { retries: retried }) },
    resources: watch.resources(Math.round(ended.durationMs)),
    closeLog: log.close,
  };
}

/**
 * Returns the report of an agent of yours. If the agent failed before it acted, and the box hides folders that may have
 * its settings, the report names the line that shows them.
 */
function withHidden(
  { ports, config, home }: LoopContext,
  { name, home: folders, output }: AgentAdapter,
  { argv: [program] }: AgentPlan,
  report: AgentReport,
  { end, errorTail }: Pick<AgentProcessResult, 'end' | 'errorTail'>,
): AgentReport {
  const hasFailed = end.kind === 'exited' && (end.code !== 0 || report.infrastructure !== null);
  const hasActed = report.toolCalls > 0 || hasStatusBlock(report.finalMessage);
  if (!hasFailed || hasActed || folders !== null || home === null || !ports.proc.isBoxed) return report;
  const there = new Set(ports.proc.closed().paths);
  const hidden = hiddenSettings([name, program], (path) => there.has(path), config.box, home);
  if (hidden.length === 0) return report;
  const last = lastErrorIn(errorTail) || (isWordsAlone(output) ? lastErrorIn(report.finalMessage) : '');
  const add = (words: string) =>
    `${words === '' ? '' : `${words.replace(/[.]$/, '')}. `}${hiddenText(hidden)}`;
  const { infrastructure } = report;
  return {
    ...report,
    errors: [...report.errors.slice(0, -1), add(report.errors.at(-1) ?? last)],
    infrastructure: infrastructure && { ...infrastructure, message: add(infrastructure.message) },
  };
}

/** Events that show that an agent makes progress. Errors before them are over. */
const WORK: ReadonlySet<AgentEvent['kind']> = new Set(['text', 'tool_call', 'tool_result', 'usage']);

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

/** Milliseconds without output and computing after which a plain-text agent that said DONE is ended. */
const LINGER_MS = 60_000;

/** Returns the milliseconds to wait for such an agent: less than its idle timeout, so that it doesn't count as idle. */
function lingerMs({ adaptive_timeout: { idle_timeout } }: LoopContext['config']): number {
  return idle_timeout === 0 ? LINGER_MS : Math.min(LINGER_MS, idle_timeout * 500);
}

function timesOf({ config }: LoopContext, { adapter, timeoutSeconds, limits }: AgentOptions): AttemptLimits {
  return {
    wallMs: attemptSeconds(timeoutSeconds, limits) * 1000 + (adapter.silentRetriesMs ?? 0),
    idleMs: config.adaptive_timeout.idle_timeout * 1000,
    graceMs: adapter.endsAtOnce ? 0 : config.loop.grace * 1000,
  };
}

/** Maximum number of characters of a command in a sentence. */
const COMMAND_CHARS = 80;
/** Maximum number of characters of a task's title in the name of a session. */
const TITLE_CHARS = 80;

/**
 * Returns the cost in US dollars at which the agent's program stops itself; `null`: it has no such switch, or there is
 * no limit. It protects the budget from programs that report their cost only at the end.
 */
async function costLimitOf(
  { ports: { proc } }: LoopContext,
  { adapter: { name, costSwitch }, ledger }: AgentOptions,
): Promise<number | null> {
  const left = costSwitch === undefined ? null : ledger.leftUsd();
  return left !== null && costSwitch !== undefined && (await proc.hasSwitch(name, costSwitch)) ? left : null;
}

/** Returns how to start the agent, with its hook if there is one. */
function planOf(
  context: LoopContext,
  options: AgentOptions,
  costLimitUsd: number | null,
  hook: HookPlace | null,
): AgentPlan {
  const { ports, run, review, reportFolder } = context;
  const { adapter, task, iteration, attempt, resumed, support, copy } = options;
  const root = topIn(context, copy);
  const place = support === undefined ? String(iteration) : `${iteration}-${support.name}`;
  return adapter.plan({
    prompt: options.prompt,
    promptFile: options.promptFile,
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
      // The reviewer resolves paths as the agent's shell does, so both need the same folder. A box has this folder
      // anyway.
      ...(review === null ? {} : { TMPDIR: review.tmpdir.path }),
    },
    resume: resumed?.id ?? null,
    ...(costLimitUsd === null ? {} : { costLimitUsd }),
    title: shortened(onOneLine(task.title), TITLE_CHARS),
    boxed: ports.proc.isBoxed,
    hook,
    session: uuidFrom(ports.ids.sha256(`${context.root} ${run} ${place}`)),
    // The process id comes first, because a later run recognises leftovers by it.
    reportFile: `${reportFolder}/${ports.process.pid}-${run}-${place}/report.json`,
  });
}

/** Returns a UUID made of these digits, equal for equal digits. Version 8 lets the maker define the bits. */
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

/**
 * Returns what asks you before actions; `null`: no action waits for you. Roles beside the maker change only their copy,
 * so they don't.
 */
function manualOf(context: LoopContext, options: AgentOptions, waiting: OpenWaiting): ManualApprovals | null {
  const { task, taskState, iteration, adapter, review, support } = options;
  const because = taskState.decisions.manual;
  const isAsking = review.mode === 'hook' && context.review !== null;
  if (support !== undefined || (because === null && !isAsking)) return null;
  const { name: agent } = adapter;
  const place = context.review?.placeIn(options.copy) ?? NO_PLACE;
  const preview = isAsking ? openDestructivePreview(context, { task, agent, place }) : null;
  const waitsSeconds = review.mode === 'hook' ? review.contract.waitsSeconds : 0;
  return openManualApprovals(context, { task, iteration, agent, because, preview, waitsSeconds, waiting });
}

const NO_MODULE = async () => [];

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
  const askRules = setup?.askRules ?? NO_MODULE;
  return openReview({
    review,
    agent: adapter.name,
    iteration,
    taskId: task.id,
    settings,
    rules,
    askRules,
    clock,
    requireGate: restricted || manual?.everyAction === true || (setup?.requireGate ?? false),
    approvals: manual,
    place: {
      ...(setup?.placeIn(copy) ?? NO_PLACE),
      restricted: restricted ? commands : null,
    },
    goal: goalOf(task, commands),
    hide: redactor(secrets),
    beganAt: Date.parse(clock.now()),
    leftovers: taskState.left,
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
          id: `e-${counters.event + 1}`,
          iteration,
          run,
          worker,
          timestamp: clock.now(),
          event_type: 'command_rewritten',
          severity: 'warning',
          remediation_attempted: false,
          details: { task_id: taskId, summary },
        },
      ],
    },
  ]);
}

type Listener = (send: (text: string) => boolean) => void;

/**
 * Returns a function that sends messages to the running agent: corrections, and what you add with `ralph feedback add`.
 */
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
    // A journal that can't be read is reported when the next entry is written.
    passOnGuidance({ store, clock, taskId: task.id, send, onSent, until }).catch(() => undefined);
  };
}

/** Returns the hook by which the agent asks before it acts; `null`: actions are only watched, or not reviewed. */
function hookOf(
  context: LoopContext,
  options: AgentOptions,
  review: ReviewSession,
  { onOpen, planIn }: { readonly onOpen: Listener; readonly planIn: (place: HookPlace) => AgentPlan },
) {
  const { hook } = options.adapter;
  // An agent that speaks a protocol needs it even without a review.
  const contract =
    options.review.mode === 'hook' ? options.review.contract : hook?.transport === 'ACP' ? hook : null;
  if (contract === null || (context.review === null && contract.transport !== 'ACP')) return null;
  return {
    contract,
    folder: context.review?.hookFolder ?? context.reportFolder,
    plan: planIn,
    onMessage: review.onMessage,
    ...(context.config.interventions.mid_stream && options.support === undefined ? { onOpen } : {}),
  };
}
