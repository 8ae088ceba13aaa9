import { match } from 'ralph-kit/match';
import { own } from 'ralph-kit/own';
import {
  type Choice,
  chooseNext,
  type Ending,
  endingOfStop,
  queueOf,
  shortageOf,
  shortageText,
  startsAnyway,
  whyIdle,
} from '../decide/index.ts';
import { noisyPatterns, noisyText } from '../domain/human/state.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import type { EndCause, RunStop } from '../domain/records/run-record.ts';
import { taskStateOf } from '../domain/records/state.ts';
import { VERDICT_COUNTING, type Verdict } from '../domain/verdict.ts';
import { budgetStep } from '../respond/policy/index.ts';
import { type Outlook, outlookOf } from '../tell/index.ts';
import { awaitAnswer } from './await-answer.ts';
import { choiceFacts } from './choice-facts.ts';
import type { LoadedTracker, LoopContext, Progress } from './context.ts';
import type { Crew, Finished } from './crew.ts';
import { reportLimits } from './fleet/run-remotely.ts';
import { askAtGates, settleTimeouts } from './human-gates.ts';
import { startIteration } from './iteration/run-iteration.ts';
import { landOnBranch } from './land-on-branch.ts';
import { limitOf, scopeOf } from './limit-of.ts';
import { loadReconciled } from './load-reconciled.ts';
import type { Notifier } from './notifier.ts';
import { takeCheckpoint } from './perform/checkpoint.ts';
import type { RunDocuments } from './run-documents.ts';
import { warnOfTicks } from './settle-marks.ts';
import { autoUnblock } from './unblock-tasks.ts';
import { waitForAgent, waitWhilePaused } from './wait.ts';
import type { ReviewPlans } from './watch/plan-review.ts';
import { awaitNews, openWorkerStop } from './watch/worker-stop.ts';

/** Objects that last as long as the run. */
export type RunTools = {
  readonly documents: RunDocuments;
  readonly plans: ReviewPlans;
  readonly crew: Crew;
  readonly notifier: Notifier;
};

export type Step =
  | {
      readonly kind: 'unblocked' | 'waited' | 'saved' | 'started' | 'iterated';
      readonly progress: Progress;
    }
  | Busy
  | {
      readonly kind: 'end';
      readonly ending: Ending;
      readonly cause: EndCause;
      readonly progress: Progress;
    };

/** Nothing can start before a worker has ended, or before this time (ISO 8601 UTC). */
type Busy = { readonly kind: 'busy'; readonly progress: Progress; readonly until: string | null };

/** Milliseconds after which disk and memory are checked again, if no worker has ended by then. */
const SHORT_MS = 60_000;

/** Takes one step of a run: reads the tasks, chooses what to do, and does it. */
export async function takeStep(context: LoopContext, tools: RunTools, before: Progress): Promise<Step> {
  await context.ports.store.unlocked();
  await settleTimeouts(context);
  noteFalsePositives(context);
  const loaded = await loadReconciled(context);
  if (!loaded.ok) return problem(before, loaded.message, loaded.next);
  const { tasks, tracker } = loaded;
  const { sinceChoice } = before;
  const reconciled = [...sinceChoice.reconciled, ...loaded.reconciled];
  const known = { ...before, tasks, sinceChoice: { ...sinceChoice, reconciled } };
  warnOfTicks(context, before.tasks, tasks);
  await reportLimits(context);
  const facts = choiceFacts(context, tools, known);
  const progress = { ...known, budgetStep: announceBudget(context, facts, known) };
  noteKeptApart(context, facts);
  const next = chooseNext(facts, { tasks, states: context.ports.store.state.tasks });
  return match(next, 'kind', {
    end: (next) => unblockAskOrEnd(context, tools, progress, { ending: next.ending, facts, tracker }),
    wait: (next) => wait(context, progress, next, facts),
    paused: ({ since }) => pause(context, progress, since),
    gate_down: async ({ until, reason }) => {
      if (progress.awaited !== until)
        context.ports.store.commit([
          {
            type: 'warned',
            message: `${reason}. What is finished is judged again at ${until}.`,
          },
        ]);
      return { kind: 'busy', progress: { ...progress, awaited: until }, until };
    },
    busy: async ({ agent }) => busy(context, progress, facts, agent),
    checkpoint: ({ due }) => checkpoint(context, progress, due, facts),
    task: async (next) => {
      const { isShort, shortages } = await checkRoom(context, tools, progress);
      if (isShort) {
        const until = new Date(Date.parse(facts.availability.now) + SHORT_MS).toISOString();
        return { kind: 'busy', progress: { ...progress, shortages }, until };
      }
      // You may have stopped the free worker since the choice.
      if (tools.crew.free() === 0) return { kind: 'waited', progress };
      return iterate(context, tools, progress, { next, facts, tracker });
    },
  });
}

/** Records when tasks began to wait for files, because they start after some time in any case. */
function noteKeptApart({ ports: { store } }: LoopContext, { workers }: ChoiceFacts): void {
  const taskIds = workers.held
    .filter(({ id, paths }) => paths.length > 0 && !Object.hasOwn(store.state.keptApart, id))
    .map(({ id }) => id);
  if (taskIds.length > 0) store.commit(() => [{ type: 'queue_changed', taskIds, change: 'kept_apart' }]);
}

type AwaitedAgent = Extract<Choice, { kind: 'busy' }>['agent'];

/**
 * Returns a step in which nothing starts, and reports once why.
 * @param agent The agent that starts wait for; `null`: they wait for workers.
 */
function busy(context: LoopContext, before: Progress, facts: ChoiceFacts, agent: AwaitedAgent): Busy {
  const { store } = context.ports;
  const { now } = facts.availability;
  const idle = agent === null ? idleBecause(context, before, facts) : null;
  const awaited =
    agent === null ? (idle?.taskId ?? before.awaited) : `${agent.wait.agent} ${agent.wait.until}`;
  if (agent !== null && awaited !== before.awaited)
    store.commit([
      {
        type: 'wait_started',
        wait: { for: 'agent', ...agent.wait, reason: agent.reason, working: facts.workers.working.length },
      },
    ]);
  else if (idle !== null && awaited !== before.awaited)
    store.commit([{ type: 'warned', message: idle.message }]);
  const progress = { ...before, awaited };
  const times = [
    ...facts.workers.held.map(({ id }) => startsAnyway(store.state, id)),
    agent?.wait.until ?? null,
    facts.outage?.until ?? null,
  ].flatMap((at) => (at !== null && Date.parse(at) > Date.parse(now) ? [at] : []));
  return { kind: 'busy', progress, until: times.toSorted()[0] ?? null };
}

/**
 * Returns a sentence on why workers are idle, and the first task that they wait for: each reason is reported once per
 * task, although the number of idle workers changes. `null`: no worker is idle, or no task is left.
 */
function idleBecause(
  { ports: { store }, workers, workplace: { worktree } }: LoopContext,
  { tasks }: Progress,
  { freeWorkers, control, availability, outage }: ChoiceFacts,
): { readonly taskId: string; readonly message: string } | null {
  if (freeWorkers === 0 || outage !== null) return null;
  const run = { workers: workers.length, control, availability };
  const why = whyIdle(queueOf({ state: store.state, tasks, worktree, now: availability.now, run }));
  if (why === null) return null;
  return { taskId: why.taskId, message: `${freeWorkers} of ${workers.length} workers idle: ${why.text}.` };
}

type EndOfStep = { readonly ending: Ending; readonly facts: ChoiceFacts; readonly tracker: LoadedTracker };

/**
 * Asks you for decisions, if only these are missing and you sit at the terminal; otherwise unblocks tasks or ends the
 * run.
 */
async function unblockAskOrEnd(
  context: LoopContext,
  { notifier }: RunTools,
  progress: Progress,
  end: EndOfStep,
): Promise<Step> {
  const step = unblockOrEnd(context, progress, end);
  const { kind } = end.ending;
  if (step.kind !== 'end' || (kind !== 'awaiting_human' && kind !== 'all_blocked')) return step;
  const asked = kind === 'awaiting_human' ? await askAtGates(context, progress.tasks) : 'left';
  // Ctrl-C at the question ends the run, as it does at any other time.
  const repeats = asked === 'decided' || context.ports.stop.polite.aborted;
  return repeats || (await awaitAnswer(context, notifier, progress.tasks))
    ? { kind: 'waited', progress }
    : step;
}

/** Reports each step of the budget that is reached. Returns the current step. */
function announceBudget(
  { ports: { store } }: LoopContext,
  { policy: { limits, spent } }: ChoiceFacts,
  { budgetStep: before }: Progress,
): Progress['budgetStep'] {
  const at = budgetStep(limits, spent);
  if (at === before || at === 'none' || at === 'stop') return at;
  store.commit([{ type: 'budget_reached', at, limits, spent }]);
  return at;
}

/** Ends the run, unless only blocked tasks are left and some of them may get another series of attempts. */
function unblockOrEnd(context: LoopContext, progress: Progress, end: EndOfStep): Step {
  const { ending, facts, tracker } = end;
  const { counted: iterations, tasks, sinceChoice } = progress;
  const done = autoUnblock(context, { ending, iterations, tracker, tasks, facts });
  if (done === null) return { kind: 'end', ending, cause: { kind: 'choice', facts }, progress };
  const autoUnblocked = [...sinceChoice.autoUnblocked, done];
  return { kind: 'unblocked', progress: { ...progress, sinceChoice: { ...sinceChoice, autoUnblocked } } };
}

async function wait(
  context: LoopContext,
  progress: Progress,
  { wait, reason }: Extract<Choice, { kind: 'wait' }>,
  { availability: facts, outage, finished }: ChoiceFacts,
): Promise<Step> {
  const asksGatesAt = finished.length === 0 ? null : (outage?.until ?? null);
  await waitForAgent(context, { wait, reason, facts, asksGatesAt });
  const { sinceChoice } = progress;
  const waits = [...sinceChoice.waits, { facts, wait }];
  return { kind: 'waited', progress: { ...progress, sinceChoice: { ...sinceChoice, waits } } };
}

async function checkpoint(
  context: LoopContext,
  progress: Progress,
  due: 'tasks' | 'time',
  { policy: facts }: ChoiceFacts,
): Promise<Step> {
  await takeCheckpoint(context, progress.tasks, { why: due, stop: null });
  const { sinceChoice } = progress;
  const checkpoints = [...sinceChoice.checkpoints, { facts, due }];
  return { kind: 'saved', progress: { ...progress, sinceChoice: { ...sinceChoice, checkpoints } } };
}

async function pause(context: LoopContext, progress: Progress, since: string): Promise<Step> {
  await waitWhilePaused(context, since);
  return { kind: 'waited', progress };
}

type Picked = {
  readonly next: Extract<Choice, { kind: 'task' }>;
  readonly facts: ChoiceFacts;
  readonly tracker: LoadedTracker;
};

async function iterate(
  run: LoopContext,
  { documents, plans, crew }: RunTools,
  progress: Progress,
  { next, facts: choice, tracker }: Picked,
): Promise<Step> {
  const worker = crew.workerFor(next.task.id);
  const { signal, stop } = openWorkerStop(run.ports.stop);
  const context = { ...run, ...worker, ports: { ...worker.ports, stop: signal } };
  const { ports } = context;
  const { task, why, agent, because } = next;
  const adapter = adapterOf(context, agent);
  const isFinished = choice.finished.some(({ id }) => id === task.id);
  const takesOver =
    agent === progress.agent || isFinished
      ? null
      : { from: progress.agent, reason: because ?? `${agent} may be tried again` };
  const unusable = await landOnBranch(context, task.id, 'per_task');
  if (unusable !== null) return problem(progress, unusable);
  const { restriction, decisions } = taskStateOf(ports.store.state, task.id);
  const restricted = restriction !== null || decisions.manual !== null;
  const planned = plans.next(adapter, restricted);
  if (!planned.ok) return problem(progress, planned.message);
  const { review } = planned;
  const outlook = outlookFor(context, progress, task.id, agent);
  const chosen = {
    task,
    why,
    adapter,
    review,
    reviewOf: plans.planFor,
    choice,
    tracker,
    tasks: progress.tasks,
    documents,
    outlook,
    takesOver,
  };
  const beganMs = ports.clock.monotonicMs();
  const started = await startIteration(context, chosen);
  if (started.kind === 'refused') return problem(progress, started.message);
  const finished = async () => {
    const outcome = await started.outcome;
    return { taskId: task.id, agent, outcome, ms: ports.clock.monotonicMs() - beganMs };
  };
  crew.begin(worker, { taskId: task.id, finished: finished(), stop });
  const sinceChoice = { reconciled: [], autoUnblocked: [], waits: [], checkpoints: [] };
  const used = isFinished ? progress.agent : agent;
  return { kind: 'started', progress: { ...progress, agent: used, sinceChoice } };
}

/** Waits until a worker has ended, and returns the run's next state. */
export async function awaitWorker(
  context: LoopContext,
  { crew, plans }: RunTools,
  before: Progress,
): Promise<Step> {
  const { taskId, agent, ms, outcome }: Finished = await crew.next();
  await reportLimits(context);
  if (outcome.hookLost !== null) plans.lose(adapterOf(context, agent), outcome.hookLost);
  const progress = {
    ...counted(before, taskId, outcome.decisions.verdict),
    startedTasks: withTime(before.startedTasks, taskId, ms),
    took: withTook(before.took, outcome.took),
  };
  return outcome.stop === null ? { kind: 'iterated', progress } : stopped(progress, outcome.stop);
}

/**
 * Waits until a worker has ended, or until there is a reason for a free worker to choose again: a command of yours, or
 * the time.
 */
export async function awaitWorkerOrNews(
  context: LoopContext,
  tools: RunTools,
  { progress, until }: Busy,
): Promise<Step> {
  const { crew } = tools;
  if (crew.free() === 0) return awaitWorker(context, tools, progress);
  const over = new AbortController();
  const isOver = crew.oneEnded().then(() => true);
  const news = awaitNews(context, { working: crew.working(), until }, over.signal).then(() => false);
  const ended = await Promise.race([isOver, news]).finally(() => over.abort());
  return ended ? awaitWorker(context, tools, progress) : { kind: 'waited', progress };
}

function outlookFor(
  context: LoopContext,
  { tasks, startedTasks, counted }: Progress,
  taskId: string,
  agent: string,
): Outlook {
  const { ports, config } = context;
  const scope = scopeOf(context, tasks);
  return outlookOf({
    tasks,
    begun: startedTasks,
    taskId,
    scope,
    iterationsLeft: limitOf(context, scope, { tasks, startedTasks }) - counted,
    maxAttempts: config.loop.max_attempts_per_task,
    profile: own(ports.store.state.profiles, agent) ?? null,
  });
}

function withTime(begun: Progress['startedTasks'], taskId: string, ms: number): Progress['startedTasks'] {
  return new Map(begun).set(taskId, (begun.get(taskId) ?? 0) + ms);
}

function withTook(
  { count, agentMs, gatesMs }: Progress['took'],
  one: Finished['outcome']['took'],
): Progress['took'] {
  if (one === null) return { count, agentMs, gatesMs };
  return { count: count + 1, agentMs: agentMs + one.agentMs, gatesMs: gatesMs + one.gatesMs };
}

/** Returns the counts after an iteration. An iteration that a cause outside the work ended uses nothing up. */
function counted(progress: Progress, taskId: string, { kind }: Verdict): Progress {
  const iterations = progress.iterations + 1;
  if (VERDICT_COUNTING[kind].infrastructure) return { ...progress, iterations };
  const attempts = new Map(progress.attempts).set(taskId, (progress.attempts.get(taskId) ?? 0) + 1);
  return { ...progress, iterations, counted: progress.counted + 1, attempts };
}

/**
 * Returns the end of the run by a problem.
 * @param next The command that helps; `null`: the message has it.
 */
function problem(progress: Progress, message: string, next: string | null = null): Step {
  return stopped(progress, { kind: 'problem', message, next });
}

function stopped(progress: Progress, cause: RunStop): Step {
  return { kind: 'end', ending: endingOfStop(cause), cause, progress };
}

function adapterOf({ adapters }: Pick<LoopContext, 'adapters'>, name: string): LoopContext['adapters'][0] {
  const adapter = adapters.find((one) => one.name === name);
  if (adapter === undefined) throw new Error(`${name} isn't an agent of this run`);
  return adapter;
}

/**
 * Returns whether the next attempt has to wait until a running one ends, for lack of disk, memory or gate time. Each
 * lack is reported once per run.
 */
export async function checkRoom(
  { ports, turns, workers }: LoopContext,
  { crew }: { readonly crew: Pick<Crew, 'working'> },
  { took: { count, agentMs, gatesMs }, shortages }: Pick<Progress, 'took' | 'shortages'>,
): Promise<{ readonly isShort: boolean } & Pick<Progress, 'shortages'>> {
  const used = crew.working().length;
  // One worker may always start, even if there is little room.
  if (used === 0) return { isShort: false, shortages };
  const waiting = turns.waiting().filter(({ lands }) => lands).length;
  const pace = count === 0 ? null : { agentMs: agentMs / count, gatesMs: gatesMs / count };
  const room = { ...(await ports.room()), queue: { waiting, pace } };
  const which = shortageOf(room);
  if (which === null) return { isShort: false, shortages };
  if (shortages.has(which)) return { isShort: true, shortages };
  const message = shortageText(which, room, { used, requested: workers.length });
  ports.store.commit([{ type: 'warned', message }]);
  return { isShort: true, shortages: new Set([...shortages, which]) };
}

/** Each kind of finding is reported once, and again if it recurs. */
function noteFalsePositives({ ports: { store } }: LoopContext): void {
  const { human } = store.refresh();
  const noisy = noisyPatterns(human.detections);
  const patterns = noisy.map(({ pattern }) => pattern).toSorted();
  if (patterns.join() === human.told.join()) return;
  const texts = noisy.filter(({ pattern }) => !human.told.includes(pattern)).map(noisyText);
  store.commit(() => [{ type: 'false_positives_told', patterns, texts }]);
}
