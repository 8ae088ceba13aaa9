import { isThrottle } from '../../agent/index.ts';
import type { AgentAvailability, AgentFacts, Wait } from '../../domain/records/choice.ts';
import {
  openIterations,
  type State,
  UNAVAILABLE_WORDS,
  type Unavailable,
} from '../../domain/records/state.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { formatDuration } from '../../lib/duration.ts';
import { own } from '../../lib/own.ts';
import { type Ending, ended, isReached, stoppedText } from './ending.ts';

export type AgentChoice =
  /** `because`: why not one of those before it; `null` for the first. Times in ISO 8601 UTC, as in all reasons. */
  | { readonly kind: 'agent'; readonly name: string; readonly because: string | null }
  | { readonly kind: 'wait'; readonly wait: Wait; readonly reason: string }
  | { readonly kind: 'end'; readonly ending: Ending };

/**
 * The first agent that can work now; where none can, a wait for the one that can first, or the end (exit 9). One that is throttled
 * is waited for although another one can work: that is over in less time than a task takes.
 */
export function chooseAgent(facts: AgentFacts): AgentChoice {
  const { agents, now, maxWaitSeconds, runUntil } = facts;
  const lefts = agents.map((agent) => waitLeft(agent, now));
  const best = lefts.findIndex((left, at) => left === 0 || isWorthAWait(agents[at], left, facts));
  const first = agents[best];
  if (first !== undefined && lefts[best] === 0) {
    const before = agents.slice(0, best).map((agent) => availabilityText(agent, now));
    return { kind: 'agent', name: first.name, because: before.length === 0 ? null : before.join('; ') };
  }
  const shortest = lefts[best] ?? Math.min(...lefts.map((left) => left ?? Number.POSITIVE_INFINITY));
  const waited = first ?? agents[lefts.indexOf(shortest)];
  const cause = waited?.unavailable?.kind;
  const until = waited === undefined ? null : freeFrom(waited, now);
  if (until !== null && runUntil !== null && isReached(runUntil, until)) {
    const why = agents.map((agent) => `${availabilityText(agent, now)}.`).join(' ');
    const reason = `Stopped: until ${runUntil} reached before an agent can work. ${why}`;
    return { kind: 'end', ending: ended('until_reached', reason) };
  }
  if (waited === undefined || cause === undefined || until === null || shortest > maxWaitSeconds * 1000) {
    return { kind: 'end', ending: unavailableEnding(facts, Number.isFinite(shortest)) };
  }
  const reason = agents.map((agent) => availabilityText(agent, now)).join('; ');
  return { kind: 'wait', wait: { agent: waited.name, cause, until }, reason };
}

/** How long one attempt tries alone whether an agent works again, before others start. */
const TRIED_ALONE_MS = 60_000;

/** Milliseconds; `null`: not in this run any more. */
export function waitLeft(agent: AgentAvailability, now: string): number | null {
  const { suspended, unavailable } = agent;
  if (suspended !== null) return null;
  if (unavailable === null) return 0;
  const left = waitLeftMs(unavailable, now);
  if (left !== 0 || unavailable.resetKnown || agent.tried === undefined) return left;
  const passed = Date.parse(now) - Date.parse(agent.tried);
  // A clock that was set back makes nothing longer.
  return passed < 0 ? 0 : Math.max(0, TRIED_ALONE_MS - passed);
}

/** Whether it is tried by one attempt just now. */
function isTried({ unavailable, tried }: AgentAvailability, now: string): boolean {
  return unavailable !== null && tried !== undefined && waitLeftMs(unavailable, now) === 0;
}

/** When an agent that can't be started now can be; ISO 8601 UTC. */
function freeFrom(agent: AgentAvailability, now: string): string | null {
  const { unavailable, tried } = agent;
  if (tried === undefined || !isTried(agent, now)) return unavailable?.until ?? null;
  return new Date(Date.parse(tried) + TRIED_ALONE_MS).toISOString();
}

function isWorthAWait(
  agent: AgentAvailability | undefined,
  left: number | null,
  { now, maxWaitSeconds, runUntil }: AgentFacts,
): boolean {
  if (agent?.unavailable?.kind !== 'throttled' || left === null) return false;
  const end = new Date(Date.parse(now) + left).toISOString();
  return left <= maxWaitSeconds * 1000 && !(runUntil !== null && isReached(runUntil, end));
}

/** What you can do about an agent that was given up. */
const FIX: Readonly<Record<Unavailable['kind'], string>> = {
  throttled: 'start fewer workers',
  rate_limited: 'see its plan',
  auth: 'sign in with its own command',
  outage: 'see whether its service works',
  spawn_failed: 'see ralph doctor',
};

function availabilityText(agent: AgentAvailability, now: string): string {
  const { name, suspended, unavailable } = agent;
  if (suspended !== null) return `${name}: suspended for review (${suspended})`;
  if (unavailable === null) return `${name}: ready`;
  const { kind, message, until, tries, resetKnown } = unavailable;
  const what = `${name}: ${UNAVAILABLE_WORDS[kind]}`;
  const detail = `(${message.trim().replace(/\.$/, '')})`;
  if (isTried(agent, now)) return `${what} ${detail}, and one attempt tries whether that is over`;
  if (until !== null) return `${what} ${detail}, ${resetKnown ? 'until' : 'next try at'} ${until}`;
  return `${what} ${detail}, ${tries === 1 ? '' : `given up after ${tries} attempts: `}${FIX[kind]}`;
}

/** `passes`: time alone would help. */
function unavailableEnding({ agents, now, maxWaitSeconds }: AgentFacts, passes: boolean): Ending {
  const allowed =
    maxWaitSeconds === 0
      ? 'No wait is allowed (--no-wait, [loop] max_wait = 0)'
      : `That is a longer wait than [loop] max_wait allows (${formatDuration(maxWaitSeconds * 1000)})`;
  const kept = agents.filter(({ unavailable }) => unavailable?.resetKnown === true);
  const suspended = agents.filter((agent) => agent.suspended !== null);
  const broken = agents.some(
    ({ unavailable }) => unavailable?.kind === 'auth' || unavailable?.kind === 'spawn_failed',
  );
  const reason = `No agent can work. ${agents.map((agent) => `${availabilityText(agent, now)}.`).join(' ')}${passes ? ` ${allowed}.` : ''}`;
  return ended('agent_unavailable', stoppedText(reason), [
    ...(broken ? ['ralph doctor'] : []),
    'ralph run',
    // A limit with a known end stands in the next run, too, unless you say that it is over.
    ...[...suspended, ...kept].map(({ name }) => `ralph profile --agent ${name} --reinstate`),
  ]);
}

/** How the agents of the run stand, in their order. */
export function agentAvailability(
  state: Pick<State, 'profiles' | 'workplaces'>,
  names: readonly string[],
): readonly AgentAvailability[] {
  return names.map((name) => {
    const profile = own(state.profiles, name);
    const unavailable = profile?.unavailable ?? null;
    const known = { name, suspended: profile?.suspended ?? null, unavailable };
    const tries = openIterations(state).filter(({ agent, overtaken }) => agent === name && !overtaken);
    const tried = tries
      .map(({ startedAt }) => startedAt)
      .sort()
      .at(-1);
    return unavailable === null || tried === undefined ? known : { ...known, tried };
  });
}

/** The first wait after a cause outside of the work; each further one is twice as long (docs/adr/0013). */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** A limit that resets in this very moment is given so long all the same: no two clocks agree. */
const LEAST_WAIT_MS = 2_000;

/**
 * Waits in a row after which an agent is given up for this run. A limit passes, so it is waited for the
 * longest: 6 h 30 min in all. An outage: 1 h 30 min. A failed sign-in seldom passes: 3 min 30 s. What throttles for
 * longer than that is taken for a limit.
 */
const MOST_WAITS: Readonly<Record<Unavailable['kind'], number>> = {
  throttled: 3,
  rate_limited: 30,
  outage: 10,
  auth: 3,
  spawn_failed: 0,
};

/** Milliseconds to wait after so many attempts in a row (1, 2, …) that a cause outside of the work ended. */
export function backOffMs(tries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30));
}

/**
 * What a verdict means for the availability of its agent; `null` when its cause is not outside of the work. `before`
 * is what was known when the attempt began. Attempts in a row count together whatever each of them ended by. A limit
 * that is hit again has to name a time beyond the back-off to be believed.
 *
 * @param endedAt ISO 8601 UTC.
 */
export function unavailableAfter(
  before: Unavailable | null,
  verdict: Verdict,
  endedAt: string,
): Unavailable | null {
  const { kind } = verdict;
  if (kind !== 'rate_limited' && kind !== 'auth' && kind !== 'outage' && kind !== 'spawn_failed') return null;
  const tries = (before?.tries ?? 0) + 1;
  const ended = Date.parse(endedAt);
  const resets = kind === 'rate_limited' && verdict.resetsAt !== null ? Date.parse(verdict.resetsAt) : null;
  const isShort = tries <= MOST_WAITS.throttled && kind === 'rate_limited';
  const throttled = isShort && isThrottle(verdict.message, resets === null ? null : resets - ended);
  const base = {
    ...{ kind: throttled ? ('throttled' as const) : kind, message: verdict.message },
    ...{ since: before?.since ?? endedAt, tries },
  };
  if (tries > MOST_WAITS[kind]) return { ...base, until: null, resetKnown: false };
  const wait = backOffMs(tries);
  const resetKnown = resets !== null && resets > (tries === 1 ? ended : ended + wait);
  const until = resetKnown ? Math.max(resets, ended + LEAST_WAIT_MS) : ended + wait;
  return { ...base, until: new Date(until).toISOString(), resetKnown };
}

/**
 * Milliseconds until the agent may be tried again, 0 when it may now; `null` when it is given up for this run. A
 * back-off that seems to be longer than it was made has seen the clock set back, and is over.
 */
export function waitLeftMs({ until, resetKnown, tries }: Unavailable, now: string): number | null {
  if (until === null) return null;
  const left = Date.parse(until) - Date.parse(now);
  return left <= 0 || (!resetKnown && left > backOffMs(tries)) ? 0 : left;
}
