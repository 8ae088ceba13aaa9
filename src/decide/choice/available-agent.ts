import { formatDuration } from 'ralph-kit/duration';
import { own } from 'ralph-kit/own';
import type { AgentAvailability, AgentFacts, Wait } from '../../domain/records/choice.ts';
import { openIterations, type State } from '../../domain/records/state.ts';
import { CONSEQUENCES, type Unavailable } from '../../domain/service.ts';
import type { OutsideVerdict, Verdict } from '../../domain/verdict.ts';
import { type Ending, ended, isReached, stoppedText, untilReached } from './ending.ts';

export type AgentChoice =
  /**
   * `because`: why the agents before it can't work; `null` for the first agent. Times in all reasons are ISO 8601 UTC.
   */
  | { readonly kind: 'agent'; readonly name: string; readonly because: string | null }
  | { readonly kind: 'wait'; readonly wait: Wait; readonly reason: string }
  | { readonly kind: 'end'; readonly ending: Ending };

/**
 * Returns the first agent that can work, otherwise a wait for the earliest one, or the end of the run (exit code 9). A
 * throttled agent is waited for even if another can work, because throttling is over sooner than a task is done.
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
    const away = agents.map((agent) => `${availabilityText(agent, now)}.`);
    return { kind: 'end', ending: untilReached(runUntil, away) };
  }
  if (waited === undefined || cause === undefined || until === null || shortest > maxWaitSeconds * 1000) {
    return { kind: 'end', ending: unavailableEnding(facts, Number.isFinite(shortest)) };
  }
  const reason = agents.map((agent) => availabilityText(agent, now)).join('; ');
  return { kind: 'wait', wait: { agent: waited.name, cause, until }, reason };
}

/** Milliseconds in which one attempt alone tries whether an agent works again, before other attempts start. */
const TRIED_ALONE_MS = 60_000;

/** Returns the milliseconds to wait for an agent; `null`: it doesn't work again in this run. */
export function waitLeft(agent: AgentAvailability, now: string): number | null {
  const { suspended, unavailable } = agent;
  if (suspended !== null) return null;
  if (unavailable === null) return 0;
  const left = waitLeftMs(unavailable, now);
  if (left !== 0 || unavailable.resetKnown || agent.tried === undefined) return left;
  const passed = Date.parse(now) - Date.parse(agent.tried);
  // A clock that was set back must not make the wait longer.
  return passed < 0 ? 0 : Math.max(0, TRIED_ALONE_MS - passed);
}

function isTried({ unavailable, tried }: AgentAvailability, now: string): boolean {
  return unavailable !== null && tried !== undefined && waitLeftMs(unavailable, now) === 0;
}

/** Returns when an agent can be started, ISO 8601 UTC; `null`: unknown. */
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
  if (agent?.unavailable == null || !CONSEQUENCES[agent.unavailable.kind].holds || left === null)
    return false;
  const end = new Date(Date.parse(now) + left).toISOString();
  return left <= maxWaitSeconds * 1000 && !(runUntil !== null && isReached(runUntil, end));
}

function availabilityText(agent: AgentAvailability, now: string): string {
  const { name, suspended, unavailable } = agent;
  if (suspended !== null) return `${name}: suspended for review (${suspended})`;
  if (unavailable === null) return `${name}: ready`;
  const { kind, message, until, tries, resetKnown } = unavailable;
  const { words, helps } = CONSEQUENCES[kind];
  const what = `${name}: ${words}`;
  const detail = `(${message.trim().replace(/\.$/, '')})`;
  if (isTried(agent, now)) return `${what} ${detail}, and one attempt tries whether that is over`;
  if (until !== null) return `${what} ${detail}, ${resetKnown ? 'until' : 'next try at'} ${until}`;
  return `${what} ${detail}, ${tries === 1 ? '' : `given up after ${tries} attempts: `}${helps(name)}`;
}

/**
 * Returns the end of the run because no agent can work.
 * @param passes Whether time alone would help.
 */
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
    // A limit with a known end also holds for the next run, unless you lift it.
    ...[...suspended, ...kept].map(({ name }) => `ralph profile --agent ${name} --reinstate`),
  ]);
}

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

/** Milliseconds of the first wait after an outside cause; each further wait is twice as long (docs/adr/0013). */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Milliseconds to wait even if a limit ends right now, because clocks differ. */
const LEAST_WAIT_MS = 2_000;

/**
 * Returns the milliseconds to wait.
 * @param tries Number of attempts in a row that an outside cause ended, from 1.
 */
export function backOffMs(tries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30));
}

function isUnavailable(verdict: Verdict): verdict is OutsideVerdict {
  return verdict.kind in CONSEQUENCES;
}

/**
 * Returns why and until when the agent can't work after a verdict; `null`: the cause isn't outside the work. All such
 * attempts in a row are counted together, whatever their causes. If a limit is reached again, its reported end is only
 * believed if it is later than the back-off.
 * @param endedAt ISO 8601 UTC.
 */
export function unavailableAfter(
  before: Unavailable | null,
  verdict: Verdict,
  endedAt: string,
): Unavailable | null {
  if (!isUnavailable(verdict)) return null;
  const tries = (before?.tries ?? 0) + 1;
  const ended = Date.parse(endedAt);
  const { resetsAt = null } = 'resetsAt' in verdict ? verdict : {};
  const resets = resetsAt === null ? null : Date.parse(resetsAt);
  const isLong = verdict.kind === 'throttled' && tries > CONSEQUENCES.throttled.waits;
  const kind = isLong ? ('rate_limited' as const) : verdict.kind;
  const base = { kind, message: verdict.message, since: before?.since ?? endedAt, tries };
  if (tries > CONSEQUENCES[kind].waits) return { ...base, until: null, resetKnown: false };
  const wait = backOffMs(tries);
  const resetKnown = resets !== null && resets > (tries === 1 ? ended : ended + wait);
  const until = resetKnown ? Math.max(resets, ended + LEAST_WAIT_MS) : ended + wait;
  return { ...base, until: new Date(until).toISOString(), resetKnown };
}

/**
 * Returns the milliseconds until the agent's next try; `null`: none in this run. If more is left than the whole
 * back-off, the clock was set back, so the wait counts as over.
 */
export function waitLeftMs({ until, resetKnown, tries }: Unavailable, now: string): number | null {
  if (until === null) return null;
  const left = Date.parse(until) - Date.parse(now);
  return left <= 0 || (!resetKnown && left > backOffMs(tries)) ? 0 : left;
}
