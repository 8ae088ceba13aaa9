import type { AgentAvailability, AgentFacts, Wait } from '../../domain/records/choice.ts';
import { type State, UNAVAILABLE_WORDS, type Unavailable } from '../../domain/records/state.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { formatDuration } from '../../lib/duration.ts';
import { own } from '../../lib/own.ts';
import { type Ending, ended, isReached } from './ending.ts';

export type AgentChoice =
  /** `because`: why not one of those before it; `null` for the first. Times in ISO 8601 UTC, as in all reasons. */
  | { readonly kind: 'agent'; readonly name: string; readonly because: string | null }
  | { readonly kind: 'wait'; readonly wait: Wait; readonly reason: string }
  | { readonly kind: 'end'; readonly ending: Ending };

/** The first agent that can work now; where none can, a wait for the one that can first, or the end (exit 9). */
export function chooseAgent(facts: AgentFacts): AgentChoice {
  const { agents, now, maxWaitSeconds, runUntil } = facts;
  const lefts = agents.map((agent) => waitLeft(agent, now));
  const usable = lefts.indexOf(0);
  const first = agents[usable];
  if (first !== undefined) {
    const before = agents.slice(0, usable).map((agent) => availabilityText(agent));
    return { kind: 'agent', name: first.name, because: before.length === 0 ? null : before.join('; ') };
  }
  const shortest = Math.min(...lefts.map((left) => left ?? Number.POSITIVE_INFINITY));
  const waited = agents[lefts.indexOf(shortest)];
  const { kind: cause, until } = waited?.unavailable ?? { until: null };
  if (until !== null && runUntil !== null && isReached(runUntil, until)) {
    const why = agents.map((agent) => `${availabilityText(agent)}.`).join(' ');
    const reason = `Stopped: until ${runUntil} reached before an agent can work. ${why}`;
    return { kind: 'end', ending: ended('until_reached', reason) };
  }
  if (waited === undefined || cause === undefined || until === null || shortest > maxWaitSeconds * 1000) {
    return { kind: 'end', ending: unavailableEnding(facts, Number.isFinite(shortest)) };
  }
  const reason = agents.map((agent) => availabilityText(agent)).join('; ');
  return { kind: 'wait', wait: { agent: waited.name, cause, until }, reason };
}

/** Milliseconds; `null`: not in this run any more. */
function waitLeft({ suspended, unavailable }: AgentAvailability, now: string): number | null {
  if (suspended !== null) return null;
  return unavailable === null ? 0 : waitLeftMs(unavailable, now);
}

/** What you can do about an agent that was given up. */
const FIX: Readonly<Record<Unavailable['kind'], string>> = {
  rate_limited: 'see its plan',
  auth: 'sign in with its own command',
  outage: 'see whether its service works',
  spawn_failed: 'see ralph doctor',
};

function availabilityText({ name, suspended, unavailable }: AgentAvailability): string {
  if (suspended !== null) return `${name}: suspended for review (${suspended})`;
  if (unavailable === null) return `${name}: ready`;
  const { kind, message, until, tries, resetKnown } = unavailable;
  const what = `${name}: ${UNAVAILABLE_WORDS[kind]}`;
  const detail = `(${message.trim().replace(/\.$/, '')})`;
  if (until !== null) return `${what} ${detail}, ${resetKnown ? 'until' : 'next try at'} ${until}`;
  return `${what} ${detail}, ${tries === 1 ? '' : `given up after ${tries} attempts: `}${FIX[kind]}`;
}

/** `passes`: time alone would help. */
function unavailableEnding({ agents, maxWaitSeconds }: AgentFacts, passes: boolean): Ending {
  const allowed =
    maxWaitSeconds === 0
      ? 'No wait is allowed (--no-wait, [loop] max_wait = 0)'
      : `That is a longer wait than [loop] max_wait allows (${formatDuration(maxWaitSeconds * 1000)})`;
  const kept = agents.filter(({ unavailable }) => unavailable?.resetKnown === true);
  const suspended = agents.filter((agent) => agent.suspended !== null);
  const broken = agents.some(
    ({ unavailable }) => unavailable?.kind === 'auth' || unavailable?.kind === 'spawn_failed',
  );
  const reason = `No agent can work. ${agents.map((agent) => `${availabilityText(agent)}.`).join(' ')}${passes ? ` ${allowed}.` : ''}`;
  return ended('agent_unavailable', reason, [
    ...(broken ? ['ralph doctor'] : []),
    'ralph run',
    // A limit with a known end stands in the next run, too, unless you say that it is over.
    ...[...suspended, ...kept].map(({ name }) => `ralph profile --agent ${name} --reinstate`),
  ]);
}

/** How the agents of the run stand, in their order. */
export function agentAvailability(
  { profiles }: Pick<State, 'profiles'>,
  names: readonly string[],
): readonly AgentAvailability[] {
  return names.map((name) => {
    const profile = own(profiles, name);
    return { name, suspended: profile?.suspended ?? null, unavailable: profile?.unavailable ?? null };
  });
}

/** The first wait after a cause outside of the work; each further one is twice as long (docs/adr/0013). */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** A limit that resets in this very moment is given so long all the same: no two clocks agree. */
const LEAST_WAIT_MS = 2_000;

/**
 * Waits in a row after which an agent is given up for this run. A limit passes, so it is waited for the
 * longest: 6 h 30 min in all. An outage: 1 h 30 min. A failed sign-in seldom passes: 3 min 30 s.
 */
const MOST_WAITS: Readonly<Record<Unavailable['kind'], number>> = {
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
  const base = { kind, message: verdict.message, since: before?.since ?? endedAt, tries };
  if (tries > MOST_WAITS[kind]) return { ...base, until: null, resetKnown: false };
  const ended = Date.parse(endedAt);
  const wait = backOffMs(tries);
  const resets = kind === 'rate_limited' && verdict.resetsAt !== null ? Date.parse(verdict.resetsAt) : null;
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
