import type { AgentFacts, AgentStanding, Wait } from '../../domain/records/choice.ts';
import { type State, UNAVAILABLE_WORDS, type Unavailable } from '../../domain/records/state.ts';
import { formatDuration } from '../../lib/duration.ts';
import { own } from '../../lib/own.ts';
import { waitLeftMs } from './back-off.ts';
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
    const before = agents.slice(0, usable).map((agent) => standingWords(agent));
    return { kind: 'agent', name: first.name, because: before.length === 0 ? null : before.join('; ') };
  }
  const shortest = Math.min(...lefts.map((left) => left ?? Number.POSITIVE_INFINITY));
  const waited = agents[lefts.indexOf(shortest)];
  const { kind: cause, until } = waited?.unavailable ?? { until: null };
  if (until !== null && runUntil !== null && isReached(runUntil, until)) {
    const why = agents.map((agent) => `${standingWords(agent)}.`).join(' ');
    const reason = `Stopped: until ${runUntil} reached before an agent can work. ${why}`;
    return { kind: 'end', ending: ended('until_reached', reason) };
  }
  if (waited === undefined || cause === undefined || until === null || shortest > maxWaitSeconds * 1000) {
    return { kind: 'end', ending: unavailableEnding(facts, Number.isFinite(shortest)) };
  }
  const reason = agents.map((agent) => standingWords(agent)).join('; ');
  return { kind: 'wait', wait: { agent: waited.name, cause, until }, reason };
}

/** Milliseconds; `null`: not in this run any more. */
function waitLeft({ suspended, unavailable }: AgentStanding, now: string): number | null {
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

function standingWords({ name, suspended, unavailable }: AgentStanding): string {
  if (suspended !== null) return `${name}: suspended for review (${suspended})`;
  if (unavailable === null) return `${name}: ready`;
  const { kind, message, until, tries, resetKnown } = unavailable;
  const what = `${name}: ${UNAVAILABLE_WORDS[kind]}`;
  const said = `(${message.trim().replace(/\.$/, '')})`;
  if (until !== null) return `${what} ${said}, ${resetKnown ? 'until' : 'next try at'} ${until}`;
  return `${what} ${said}, ${tries === 1 ? '' : `given up after ${tries} attempts: `}${FIX[kind]}`;
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
  const reason = `No agent can work. ${agents.map((agent) => `${standingWords(agent)}.`).join(' ')}${passes ? ` ${allowed}.` : ''}`;
  return ended('agent_unavailable', reason, [
    ...(broken ? ['ralph doctor'] : []),
    'ralph run',
    // A limit with a known end stands in the next run, too, unless you say that it is over.
    ...[...suspended, ...kept].map(({ name }) => `ralph profile --agent ${name} --reinstate`),
  ]);
}

/** How the agents of the run stand, in their order. */
export function standings(
  { profiles }: Pick<State, 'profiles'>,
  names: readonly string[],
): readonly AgentStanding[] {
  return names.map((name) => {
    const profile = own(profiles, name);
    return { name, suspended: profile?.suspended ?? null, unavailable: profile?.unavailable ?? null };
  });
}
