import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AgentEnd } from '../../../src/domain/agent.ts';
import type { LimitKind, Resources } from '../../../src/domain/intervention.ts';
import type { ResourceSample } from '../../../src/domain/observed.ts';
import { type Attempt, detectFindings, eventsFor, growthOf } from '../../../src/proof/findings/index.ts';
import { attempt, DONE_CLAIM, decideVerdict, FAILED, NO_GATES } from './facts.ts';
import { earlier, observed } from './seen.ts';

const BASE: Resources = { fileOperations: 40, memoryMb: 300, tokens: 50_000, durationMs: 100_000 };
const used = (rest: Partial<Resources>): Resources => ({ ...BASE, ...rest });

function found(rest: Partial<Attempt>) {
  return detectFindings(attempt({ gateReport: FAILED, ...rest })).find(
    ({ type }) => type === 'resource_spiral',
  );
}
function compared(before: Resources, now: Resources, rest: Partial<Attempt> = {}) {
  return found({ history: [earlier({ resources: before })], resources: now, ...rest });
}

/** One sample each ten seconds; each window of a minute has its own pace per sample. */
function paced(...perSample: Partial<ResourceSample>[]) {
  const samples: ResourceSample[] = [{ atMs: 0, fileOperations: 0, tokens: 0, memoryMb: 0 }];
  for (const pace of perSample) {
    for (let step = 0; step < 6; step += 1) {
      const last = samples.at(-1) as ResourceSample;
      samples.push({
        atMs: last.atMs + 10_000,
        fileOperations: last.fileOperations + (pace.fileOperations ?? 0),
        tokens: last.tokens + (pace.tokens ?? 0),
        memoryMb: pace.memoryMb ?? last.memoryMb,
      });
    }
  }
  return observed({ samples });
}

function halted(limit: LimitKind, allowed: number, seen: number): AgentEnd {
  return { kind: 'halted', why: 'limit_crossed', message: 'too much', crossed: { limit, allowed, seen } };
}

describe('against the attempt before', () => {
  it.each<[string, Partial<Resources>, string, object]>([
    ['file operations × 1.6', { fileOperations: 64 }, 'medium', { fileOperations: 1.6 }],
    ['file operations × 2', { fileOperations: 80 }, 'medium', { fileOperations: 2 }],
    ['file operations × 2.1', { fileOperations: 84 }, 'high', { fileOperations: 2.1 }],
    ['tokens × 1.6', { tokens: 80_000 }, 'medium', { tokens: 1.6 }],
    ['tokens × 5', { tokens: 250_000 }, 'high', { tokens: 5 }],
    ['time × 2.5', { durationMs: 250_000 }, 'high', { time: 2.5 }],
  ])('%s', (_, now, severity, growth) => {
    expect(compared(BASE, used(now))).toMatchObject({ severity, details: { growth } });
  });

  it('memory × 3, of more than an agent takes for itself', () => {
    const seen = compared(used({ memoryMb: 1200 }), used({ memoryMb: 3600 }));
    expect(seen).toMatchObject({ severity: 'high', details: { growth: { memory: 3 } } });
  });

  it.each<[string, Resources, Resources, Partial<Attempt>]>([
    ['the same again', BASE, BASE, {}],
    ['less', BASE, used({ fileOperations: 10 }), {}],
    ['a little more', BASE, used({ fileOperations: 60, tokens: 75_000 }), {}],
    [
      'more time and memory, which hang on the machine',
      BASE,
      used({ durationMs: 190_000, memoryMb: 590 }),
      {},
    ],
    ['an agent that was measured while it started', used({ memoryMb: 260 }), used({ memoryMb: 900 }), {}],
    ['few operations', used({ fileOperations: 3 }), used({ fileOperations: 19 }), {}],
    [
      'much after almost nothing',
      used({ fileOperations: 2, tokens: 900 }),
      used({ fileOperations: 90, tokens: 90_000 }),
      {},
    ],
    ['seconds', used({ durationMs: 5000 }), used({ durationMs: 50_000 }), {}],
    ['more, and the gates pass', BASE, used({ fileOperations: 200 }), { gateReport: attempt().gateReport }],
    [
      'more, and done without gates',
      BASE,
      used({ tokens: 500_000 }),
      { gateReport: NO_GATES, claim: DONE_CLAIM },
    ],
    [
      'more than an attempt that was cut short',
      BASE,
      used({ tokens: 500_000 }),
      { history: [earlier({ resources: BASE, verdict: 'rate_limited' })] },
    ],
    [
      'more than an attempt that failed at once',
      BASE,
      used({ tokens: 500_000 }),
      { history: [earlier({ resources: BASE, verdict: 'agent_error' })] },
    ],
    ['the first attempt', BASE, used({ tokens: 500_000 }), { history: [] }],
    ['an attempt that was rolled back', BASE, used({ tokens: 500_000 }), { history: [earlier()] }],
  ])('not for %s', (_, before, now, rest) => {
    expect(compared(before, now, rest)).toBeUndefined();
  });

  it('compares with the newest attempt that is a measure', () => {
    const history = [
      earlier({ resources: used({ tokens: 900_000 }) }),
      earlier({ resources: BASE }),
      earlier({ resources: used({ tokens: 900_000 }), verdict: 'outage' }),
    ];
    expect(found({ history, resources: used({ tokens: 100_001 }) })?.severity).toBe('high');
  });
});

describe('within an attempt', () => {
  it.each<[string, Partial<ResourceSample>[], object]>([
    [
      'file operations',
      [{ fileOperations: 4 }, { fileOperations: 8 }, { fileOperations: 20 }],
      { fileOperations: 2.5 },
    ],
    ['tokens', [{ tokens: 40_000 }, { tokens: 80_000 }, { tokens: 200_000 }], { tokens: 2.5 }],
    ['memory', [{ memoryMb: 800 }, { memoryMb: 1600 }, { memoryMb: 4000 }], { memory: 2.5 }],
  ])('%s that grow faster and faster', (_, paces, growth) => {
    expect(found({ observed: paced(...paces) })).toMatchObject({ severity: 'high', details: { growth } });
  });

  it.each<[string, Partial<ResourceSample>[]]>([
    ['a steady pace', [{ fileOperations: 20 }, { fileOperations: 20 }, { fileOperations: 20 }]],
    ['thinking first, then working', [{}, {}, { fileOperations: 20, tokens: 200_000 }]],
    [
      'a slow minute before a quick one',
      [{ fileOperations: 15 }, { fileOperations: 4 }, { fileOperations: 20 }],
    ],
    ['a context that fills', [{ tokens: 5000 }, { tokens: 12_000 }, { tokens: 30_000 }]],
    ['a test run that takes memory', [{ memoryMb: 300 }, { memoryMb: 400 }, { memoryMb: 3500 }]],
    ['a compiler', [{ memoryMb: 300 }, { memoryMb: 700 }, { memoryMb: 1500 }]],
    ['too short to tell', [{ fileOperations: 8 }, { fileOperations: 20 }]],
    ['nothing at all', []],
  ])('not %s', (_, paces) => {
    expect(found({ observed: paced(...paces) })).toBeUndefined();
  });

  it('goes by the window of the settings', () => {
    const quick = paced({ fileOperations: 20 }, { fileOperations: 20 }, { fileOperations: 20 });
    const growing = paced({ fileOperations: 4 }, { fileOperations: 8 }, { fileOperations: 20 });
    expect(found({ observed: growing, metricsWindowSeconds: 30 })).toBeUndefined();
    expect(found({ observed: quick, metricsWindowSeconds: 10 })).toBeUndefined();
  });

  it('distinguishes a steady pace from growth however far the samples lie apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 400 }), (pace, seconds) => {
        const samples = Array.from({ length: 60 }, (_, index) => ({
          atMs: index * seconds * 1000,
          fileOperations: index * pace * 10,
          tokens: index * pace * 100_000,
          memoryMb: 3000,
        }));
        const growth = growthOf(attempt({ observed: observed({ samples }) }));
        expect(growth).toEqual({ fileOperations: 1, tokens: 1, memory: 1, time: 1 });
      }),
    );
  });
});

describe('an attempt that was ended for a limit', () => {
  it.each<[LimitKind, number, number, object, string]>([
    ['file_operations', 20, 21, { fileOperations: 2 }, '21 file operations (limit 20)'],
    ['memory', 512, 600.4, { memory: 2 }, '600 MiB of memory (limit 512)'],
    ['tokens', 1000, 1500, { tokens: 2 }, '1500 tokens (limit 1000)'],
    ['execution_time', 60, 61, { time: 2 }, '61 s (limit 60)'],
  ])('%s is always a spiral', (limit, allowed, seen, growth, words) => {
    const one = found({ end: halted(limit, allowed, seen), gateReport: NO_GATES });
    expect(one).toMatchObject({ severity: 'high', details: { growth, crossed: { limit, allowed, seen } } });
    expect(one?.summary).toBe(`The attempt uses more and more: ${words}.`);
  });

  it('is explained by it, and by nothing else', () => {
    const facts = attempt({ end: halted('tokens', 1, 2), gateReport: NO_GATES });
    const types = (withFindings: boolean) =>
      eventsFor({
        attempt: facts,
        agent: 'x',
        findings: withFindings ? detectFindings(facts) : [],
        ...decideVerdict(facts),
        remediationAttempted: false,
        unavailable: null,
      }).map(({ event_type, severity }) => `${event_type} ${severity}`);
    expect(types(true)).toEqual(['resource_spiral warning']);
    expect(types(false)).toEqual(['attempt_failed warning']);
  });

  it('is not told of what was ended for something else', () => {
    const end: AgentEnd = { kind: 'halted', why: 'denied_action', message: 'no' };
    expect(found({ end, gateReport: NO_GATES })).toBeUndefined();
  });
});

test('growth is never below one, and one where nothing is known', () => {
  const amount = fc.oneof(fc.nat(100), fc.nat(1_000_000));
  const resources = fc.record({
    fileOperations: amount,
    memoryMb: amount,
    tokens: amount,
    durationMs: amount,
  });
  fc.assert(
    fc.property(resources, resources, (before, now) => {
      const growth = growthOf(attempt({ history: [earlier({ resources: before })], resources: now }));
      for (const ratio of Object.values(growth)) expect(ratio).toBeGreaterThanOrEqual(1);
    }),
  );
  expect(growthOf(attempt())).toEqual({ fileOperations: 1, memory: 1, tokens: 1, time: 1 });
});
