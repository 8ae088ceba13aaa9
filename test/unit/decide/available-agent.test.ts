import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseAgent } from '../../../src/decide/choice/available-agent.ts';
import type { AgentAvailability, AgentFacts } from '../../../src/domain/records/choice.ts';
import type { Unavailable } from '../../../src/domain/service.ts';

const NOW = '2026-01-01T12:00:00.000Z';
const later = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1000).toISOString();

const ready = (name: string): AgentAvailability => ({ name, suspended: null, unavailable: null });
const suspended = (name: string): AgentAvailability => ({ ...ready(name), suspended: 'it lies' });
/** Returns an agent that can't work for so many seconds; `null`: it is given up. */
function out(name: string, seconds: number | null, more: Partial<Unavailable> = {}): AgentAvailability {
  const until = seconds === null ? null : later(seconds);
  const base = { kind: 'rate_limited', message: 'Full.', since: NOW, tries: 2, resetKnown: true } as const;
  return { name, suspended: null, unavailable: { ...base, until, ...more } };
}

const slow = (name: string, seconds: number) => out(name, seconds, { kind: 'throttled', tries: 1 });
/** Its back-off is over, and an attempt of it began so many seconds ago. */
const tried = (name: string, seconds: number, more: Partial<Unavailable> = {}): AgentAvailability => ({
  ...out(name, -20, { resetKnown: false, tries: 1, ...more }),
  tried: later(-seconds),
});

function choose(
  agents: readonly AgentAvailability[],
  maxWaitSeconds = 3600,
  runUntil: string | null = null,
): string {
  const choice = chooseAgent({ agents: [...agents], now: NOW, maxWaitSeconds, runUntil });
  switch (choice.kind) {
    case 'agent':
      return choice.name;
    case 'wait':
      return `wait for ${choice.wait.agent} until ${choice.wait.until.slice(11, 19)}`;
    case 'end':
      return `exit ${choice.ending.exitCode}`;
  }
}

describe('the agent that works next', () => {
  it.each([
    ['is the first', [ready('a'), ready('b')], 'a'],
    ['is the one behind it while it has a limit', [out('a', 60), ready('b')], 'b'],
    ['while it is given up', [out('a', null), ready('b')], 'b'],
    ['while it is suspended', [suspended('a'), ready('b')], 'b'],
    ['is the first again as soon as its time has come', [out('a', 0), ready('b')], 'a'],
    ['is waited for where there is no other', [out('a', 60)], 'wait for a until 12:01:00'],
    ['is the one that can work first', [out('a', 60), out('b', 30)], 'wait for b until 12:00:30'],
    ['of two at the same time the earlier', [out('a', 30), out('b', 30)], 'wait for a until 12:00:30'],
    ["isn't a given up one", [out('a', null), out('b', 30)], 'wait for b until 12:00:30'],
    ["isn't a suspended one", [suspended('a'), out('b', 30)], 'wait for b until 12:00:30'],
    ['is waited for just as long as allowed', [out('a', 3600)], 'wait for a until 13:00:00'],
    ['and no longer', [out('a', 3601)], 'exit 9'],
    ["doesn't exist when all are given up", [out('a', null), suspended('b')], 'exit 9'],
  ])('%s', (_name, agents, expected) => {
    expect(choose(agents)).toBe(expected);
  });

  it.each([
    ['is waited for although another one can work', [slow('a', 30), ready('b')], 'wait for a until 12:00:30'],
    ['and is then the one', [slow('a', 0), ready('b')], 'a'],
    ["isn't one behind one that can work", [ready('b'), slow('a', 30)], 'b'],
    ['stands in for a limit', [out('b', 3600), slow('a', 30), ready('c')], 'wait for a until 12:00:30'],
  ])('that is throttled %s', (_name, agents, expected) => {
    expect(choose(agents)).toBe(expected);
  });

  it('that is throttled is replaced where a wait is not allowed, or the run ends before', () => {
    expect(choose([slow('a', 30), ready('b')], 0)).toBe('b');
    expect(choose([slow('a', 30), ready('b')], 3600, later(30))).toBe('b');
    expect(choose([slow('a', 30), ready('b')], 3600, later(31))).toBe('wait for a until 12:00:30');
  });

  it.each([
    ['holds others back for a minute', [tried('a', 10)], 'wait for a until 12:00:50'],
    ['and no longer', [tried('a', 60)], 'a'],
    ['where another one can work, that one does', [tried('a', 10), ready('b')], 'b'],
    [
      'where a service throttled it, that one is waited for',
      [tried('a', 10, { kind: 'throttled' }), ready('b')],
      'wait for a until 12:00:50',
    ],
    ['holds nothing back where the end was known', [tried('a', 10, { resetKnown: true })], 'a'],
    ['nor by a clock that was set back', [tried('a', -10)], 'a'],
  ])('an attempt that tries whether it works again %s', (_name, agents, expected) => {
    expect(choose(agents)).toBe(expected);
  });

  it('is not waited for where no wait is allowed', () => {
    expect(choose([out('a', 1)], 0)).toBe('exit 9');
    expect(choose([out('a', 0)], 0)).toBe('a');
  });

  it('is told with the reasons against those before it', () => {
    expect(
      chooseAgent({ agents: [out('a', 60), ready('b')], now: NOW, maxWaitSeconds: 0, runUntil: null }),
    ).toEqual({
      kind: 'agent',
      name: 'b',
      because: 'a: usage limit (Full), until 2026-01-01T12:01:00.000Z',
    });
  });
});

describe('the end of a run that no agent can continue', () => {
  const end = (maxWaitSeconds: number, ...agents: AgentAvailability[]) => {
    const choice = chooseAgent({ agents, now: NOW, maxWaitSeconds, runUntil: null });
    if (choice.kind !== 'end') throw new Error('an end was expected');
    return choice.ending;
  };

  it('says of each why, and what helps', () => {
    const auth = out('b', null, { kind: 'auth', message: 'Invalid key', tries: 4, resetKnown: false });
    expect(end(600, out('a', 7200), auth, suspended('c'))).toEqual({
      kind: 'agent_unavailable',
      exitCode: 9,
      reason:
        'Stopped: no agent can work. a: usage limit (Full), until 2026-01-01T14:00:00.000Z. b: not signed in (Invalid key), given up after 4 attempts: start b by hand and sign in, or set its key; then: ralph doctor --agents. c: suspended for review (it lies). That is a longer wait than [loop] max_wait allows (10 min).',
      next: [
        'ralph doctor',
        'ralph run',
        'ralph profile --agent c --reinstate',
        'ralph profile --agent a --reinstate',
      ],
    });
  });

  it.each([
    [
      'a back-off',
      out('a', 30, { kind: 'outage', resetKnown: false, tries: 1 }),
      0,
      'next try at',
      ['ralph run'],
    ],
    [
      'no start',
      out('a', null, { kind: 'spawn_failed', tries: 1 }),
      0,
      '(Full), see ralph doctor',
      ['ralph doctor', 'ralph run'],
    ],
  ] as const)('for %s', (_name, agent, max, words, next) => {
    const ending = end(max, {
      ...agent,
      unavailable: agent.unavailable && { ...agent.unavailable, resetKnown: false },
    });
    expect(ending.reason).toContain(words);
    expect(ending.next).toEqual(next);
  });
});

describe('whatever the agents are', () => {
  const agentState = fc.record({
    seconds: fc.option(fc.integer({ min: -100, max: 10_000 })),
    isSuspended: fc.boolean(),
    isReady: fc.boolean(),
  });
  it('one that can work is taken, else the shortest wait that is allowed, else the end', () => {
    fc.assert(
      fc.property(
        fc.array(agentState, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 10_000 }),
        (some, max) => {
          const agents = some.map(({ seconds, isSuspended, isReady }, index) => {
            const name = String(index);
            return isSuspended ? suspended(name) : isReady ? ready(name) : out(name, seconds);
          });
          const waits = some.map(({ seconds, isSuspended, isReady }) =>
            isSuspended ? Infinity : isReady ? 0 : Math.max(0, seconds ?? Infinity),
          );
          const facts: AgentFacts = { agents, now: NOW, maxWaitSeconds: max, runUntil: null };
          const choice = chooseAgent(facts);
          const shortest = Math.min(...waits);
          if (shortest === 0) expect(choice).toMatchObject({ kind: 'agent', name: String(waits.indexOf(0)) });
          else if (shortest <= max) {
            const wait = { agent: String(waits.indexOf(shortest)), until: later(shortest) };
            expect(choice).toMatchObject({ kind: 'wait', wait });
          } else expect(choice).toMatchObject({ kind: 'end', ending: { exitCode: 9 } });
          expect(chooseAgent(facts)).toEqual(choice);
        },
      ),
    );
  });
});
