import { counted } from 'ralph-kit/counted';
import { match } from 'ralph-kit/match';
import { uncapitalized } from 'ralph-kit/text';
import { EXIT, exitCodeOf, PLAIN_REASONS, type RunEnding, type StopSignalName } from '../../domain/exit.ts';
import type { PolicyFacts } from '../../domain/policy.ts';
import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { RunControl } from '../../domain/records/run-control.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import { decidePolicy } from '../../respond/policy/index.ts';
import type { selectTask } from './select-task.ts';

type Selection = ReturnType<typeof selectTask>;

export type Ending = {
  readonly kind: RunEnding;
  readonly exitCode: number;
  /** Why the run ends, in one sentence. */
  readonly reason: string;
  /** Commands against the cause; `null`: those that follow from the state (`tell/next-commands.ts`). */
  readonly next: readonly string[] | null;
};

/** The facts that the choice uses. */
export type EndingInput = Pick<
  ChoiceFacts,
  | 'only'
  | 'among'
  | 'availability'
  | 'outage'
  | 'finished'
  | 'incident'
  | 'waiting'
  | 'signal'
  | 'control'
  | 'iterations'
  | 'maxIterations'
  | 'idleIterations'
  | 'noProgressLimit'
  | 'policy'
  | 'workers'
  | 'first'
  | 'freeWorkers'
  | 'results'
>;

type EndingFacts = Omit<EndingInput, 'among'> & {
  readonly pick: Selection;
  readonly agent: string;
  /** Why the agent is suspended for manual review; `null`: it isn't. */
  readonly suspended: string | null;
};

/**
 * Returns the end of the run; `null`: another iteration follows. Of several reasons the first in this order counts:
 * emergency, signal, all done, your `ralph stop`, budget, break, awaiting human, all blocked, `--until`, max
 * iterations, no progress.
 */
export function decideEnding(facts: EndingFacts): Ending | null {
  const { pick, incident } = facts;
  if (incident !== null) return endingOfIncident(incident);
  if (facts.signal !== null) return endingOfSignal(facts.signal, facts.control);
  // Without a task left, there is nothing that a break could stop.
  const stops = endingOfPolicy(facts.policy);
  const isLeft = pick.kind === 'task' || pick.kind === 'at_work';
  const policy = isLeft || stops?.kind === 'budget' ? stops : null;
  const [incidentOfTask] = facts.waiting;
  const isEnd = pick.kind === 'all_done' || (pick.kind === 'all_blocked' && policy === null);
  if (incidentOfTask !== undefined && facts.only === null && isEnd)
    return ended('awaiting_human', PLAIN_REASONS.needsYou);
  const nothing = isLeft ? null : endingOfPick(pick);
  if (nothing !== null && nothing.exitCode === EXIT.ok)
    return facts.results.length === 0 ? nothing : ended('awaiting_human', PLAIN_REASONS.resultsWait);
  if (facts.control.stop === 'after_attempt') return ended('stopped', 'Stopped by you (ralph stop).');
  if (facts.freeWorkers === 0 && facts.workers.working.length === 0 && isLeft)
    return ended('stopped', 'Stopped: you stopped all workers (ralph workers stop).');
  if (policy !== null) return policy;
  if (facts.suspended !== null) {
    const next = [`ralph profile --agent ${facts.agent} --reinstate`, 'ralph doctor --agents'];
    return ended('break', `Stopped: ${facts.agent} is suspended: ${facts.suspended}.`, next);
  }
  if (nothing !== null) return nothing;
  const { runUntil, now } = facts.availability;
  if (runUntil !== null && isReached(runUntil, now)) return untilReached(runUntil, []);
  if (facts.iterations >= facts.maxIterations)
    return ended('max_iterations', `Stopped: ${counted(facts.maxIterations, 'iteration')} made, the limit.`);
  if (facts.idleIterations >= facts.noProgressLimit)
    return ended('no_progress', `Stopped: ${facts.idleIterations} attempts in a row changed nothing.`);
  return null;
}

function endingOfSignal(signal: StopSignalName, { stop }: RunControl): Ending {
  const by = stop === 'now' ? 'you (ralph stop --now)' : signal === 'SIGINT' ? 'Ctrl-C' : signal;
  const reason = `Stopped by ${by}. Everything up to here is saved.`;
  return { ...ended('interrupted', reason), exitCode: exitCodeOf(signal) };
}

/**
 * Returns the end of the run at `--until`.
 * @param waits Sentences about waits that would last longer than `--until`; empty: the time has come
 */
export function untilReached(runUntil: string, waits: readonly string[]): Ending {
  const stopped =
    waits.length === 0
      ? `Stopped at ${runUntil}, as you asked (--until).`
      : `Stopped: nothing can be done before ${runUntil}, when you asked to stop (--until).`;
  return ended('until_reached', [stopped, ...waits].join(' '));
}

/** Returns whether it is too late to start an attempt. */
export function isReached(runUntil: string | null, now: string): boolean {
  return runUntil !== null && Date.parse(now) >= Date.parse(runUntil);
}

/** Exit code of each ending. After an interruption, the signal decides. */
const EXIT_CODES: Readonly<Record<RunEnding, number>> = {
  all_done: EXIT.ok,
  selected_done: EXIT.ok,
  max_iterations: EXIT.workLeft,
  no_progress: EXIT.workLeft,
  stopped: EXIT.workLeft,
  until_reached: EXIT.workLeft,
  all_blocked: EXIT.allBlocked,
  awaiting_human: EXIT.awaitingHuman,
  break: EXIT.break,
  budget: EXIT.budget,
  emergency_stop: EXIT.emergencyStop,
  agent_unavailable: EXIT.agentUnavailable,
  gate_down: EXIT.agentUnavailable,
  interrupted: EXIT.unexpected,
  crashed: EXIT.unexpected,
  error: EXIT.usage,
};

export function ended(kind: RunEnding, reason: string, next: Ending['next'] = null): Ending {
  return { kind, exitCode: EXIT_CODES[kind], reason, next };
}

/** Returns the end of a run that pauses at an incident, until you choose how it continues. */
export function endingOfIncident(id: string): Ending {
  return ended('emergency_stop', `Emergency stop: ${id} waits for you.`);
}

/** Returns the end of a run that a policy stops. `.ralph/control-center.md` has the hand-off, with the saved work. */
function endingOfPolicy(policy: PolicyFacts): Ending | null {
  const decided = decidePolicy(policy);
  if (decided.kind !== 'stop') return null;
  const { kind, reason } = decided.stop;
  return ended(kind === 'budget' ? 'budget' : 'break', stoppedText(reason));
}

/** Returns the sentence with which reports say why a policy stopped a run. */
export function stoppedText(reason: string): string {
  return `Stopped: ${uncapitalized(reason)}`;
}

/** Returns the end of a run in which no task can start. */
export function endingOfPick(pick: Selection): Ending {
  return match(pick, 'kind', {
    all_done: () => ended('all_done', 'All tasks are done.'),
    all_blocked: () => ended('all_blocked', PLAIN_REASONS.allBlocked),
    awaiting_human: () => ended('awaiting_human', PLAIN_REASONS.needsYou),
    unknown_task: ({ id, nearest, known }) => {
      const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
      return ended('error', `There is no task ${id}.${hint} Known: ${known.join(', ')}.`);
    },
    not_selectable: endingOfAsked,
    empty: () =>
      ended('error', 'There are no tasks. Write some, for example "- [ ] Add a README", and run again.'),
    task: notAnEnding,
    at_work: notAnEnding,
  });
}

function notAnEnding({ kind }: Selection): never {
  throw new Error(`${kind} is not an ending`);
}

/** Returns the end of a run that is limited to some tasks, when none of them can start. */
function endingOfAsked({ tasks, others }: Extract<Selection, { kind: 'not_selectable' }>): Ending {
  const statuses = new Set(tasks.map(({ task }) => task.status));
  if (tasks.every(({ task }) => task.status === 'done')) {
    const ids = tasks.map(({ task }) => task.id);
    const done = `${listed(ids)} ${ids.length === 1 ? 'is' : 'are'} done`;
    if (others.undone === 0) return ended('all_done', `${done}. All tasks are done.`);
    const what = `${others.undone} other ${others.undone === 1 ? 'task' : 'tasks'}`;
    const be = others.undone === 1 ? 'is' : 'are';
    return ended(
      'selected_done',
      others.open === others.undone ? `${done}; ${what} ${be} open.` : `${done}; ${what} ${be} not done.`,
    );
  }
  const reason = tasks
    .map(({ task: { id }, why }) => `${id} is ${why.replace(/(?<![.?!])$/, '.')}`)
    .join(' ');
  // A task with a mistake in the list: to be corrected first.
  if (tasks.some(({ task }) => task.status !== 'done' && task.problem !== null))
    return ended('error', reason);
  const waits = statuses.has('parked') || statuses.has('unverified');
  return ended(waits ? 'awaiting_human' : 'all_blocked', reason);
}

/** Returns "T-1", "T-1 and T-2" or "T-1, T-2 and T-3"; for many ids, their number. */
function listed(ids: readonly string[]): string {
  if (ids.length > MOST_LISTED) return `The ${ids.length} tasks asked for`;
  const last = ids.at(-1) ?? '';
  return ids.length < 2 ? last : `${ids.slice(0, -1).join(', ')} and ${last}`;
}

const MOST_LISTED = 5;

/** Returns the end of a run because of a problem that you have to fix first, in the problem's own words. */
export function endingOfStop(stop: RunStop): Ending {
  const { kind, message } = stop;
  if (kind === 'workflow') return ended('awaiting_human', message);
  return stop.next === null ? ended('error', message) : ended('error', message, [stop.next]);
}
