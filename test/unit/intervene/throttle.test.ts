import { describe, expect, it } from 'vitest';
import type { Growth, Limits, Throttle } from '../../../src/domain/intervention.ts';
import { decideInterventions, type InterventionInput } from '../../../src/respond/intervene/index.ts';
import { after, finding, given, LIMITS, momentOf, record, state, TASK } from './inputs.ts';

const NONE: Limits = { fileOperations: 0, memoryMb: 0, tokens: 0, executionSeconds: 0, batchSize: 0 };

function grown(growth: Partial<Growth>): Growth {
  return { fileOperations: 1, memory: 1, tokens: 1, time: 1, ...growth };
}

/** A resource spiral of this growth on its first occurrence, whose first rung is throttling. */
function spiral(growth: Partial<Growth>, more: Partial<InterventionInput> = {}) {
  const decision = decideInterventions(
    given({ findings: [finding('resource_spiral', { details: { growth: grown(growth) } })], ...more }),
  );
  const plan = decision.interventions[0]?.plan;
  if (plan?.type !== 'resource_throttling') throw new Error('not throttled');
  return { decision, plan, limits: plan.limits };
}

describe('each limit by its own growth', () => {
  it.each([
    [1.2, 1000],
    [1.21, 850],
    [1.5, 850],
    [1.51, 700],
    [2, 700],
    [2.01, 500],
    [4, 500],
    [4.01, 250],
  ])('file operations of 1000 after a growth of %d: %i', (growth, expected) => {
    const limits = { ...LIMITS, fileOperations: 1000 };
    // Time is what was grown beside, so that growth of 1.2 leaves something to lower.
    expect(spiral({ fileOperations: growth, time: 1.3 }, { limits }).limits.fileOperations).toBe(expected);
  });

  it('lowers memory, tokens and time each on its own', () => {
    const limits = { ...LIMITS, memoryMb: 4096, tokens: 100_000, executionSeconds: 100 };
    expect(spiral({ memory: 1.3, tokens: 1.6, time: 2.5 }, { limits }).limits).toEqual({
      fileOperations: 500,
      memoryMb: 3482,
      tokens: 70_000,
      executionSeconds: 50,
      batchSize: 2,
    });
  });

  it('lowers what grew by 0.25 when the spiral is a repeated one', () => {
    const taskState = state({
      interventions: [record('throttle', 'resource_spiral', { outcome: 'helped', at: momentOf(-1) })],
    });
    const { limits } = spiral({ fileOperations: 1.3, memory: 1.1 }, { taskState, iteration: 3 });
    expect(limits).toMatchObject({ fileOperations: 125, memoryMb: 8192 });
  });

  it('keeps the growth and what held before', () => {
    const { plan } = spiral({ tokens: 1.6 });
    expect(plan).toMatchObject({ before: LIMITS, growth: grown({ tokens: 1.6 }) });
  });
});

describe('a limit that is not set', () => {
  const used = { fileOperations: 200, memoryMb: 2000, tokens: 40_000, durationMs: 90_000 };

  it.each([
    ['file operations', { fileOperations: 1.6 }, { fileOperations: 140 }],
    ['memory', { memory: 1.6 }, { memoryMb: 1400 }],
    ['tokens', { tokens: 1.6 }, { tokens: 28_000 }],
    ['time, from the timeout of 120 s', { time: 1.6 }, { executionSeconds: 84 }],
  ] as const)('is lowered from what the attempt used: %s', (_, growth, expected) => {
    const { limits } = spiral(growth, { limits: NONE, resources: used });
    expect(limits).toEqual({ ...NONE, ...expected, batchSize: 2 });
  });

  it('stays none where nothing was measured', () => {
    const { limits } = spiral(
      { memory: 3, time: 1.3 },
      { limits: NONE, resources: { ...used, memoryMb: 0 } },
    );
    expect(limits.memoryMb).toBe(0);
  });

  it('a time limit beyond the timeout counts as the timeout', () => {
    expect(
      spiral({ time: 2.5 }, { limits: { ...NONE, executionSeconds: 900 } }).limits.executionSeconds,
    ).toBe(60);
  });
});

describe('floors', () => {
  const all = { fileOperations: 9, memory: 9, tokens: 9, time: 9 };

  it('keep an attempt possible', () => {
    const limits = { fileOperations: 6, memoryMb: 140, tokens: 1100, executionSeconds: 35, batchSize: 1 };
    expect(spiral(all, { limits }).limits).toEqual({
      fileOperations: 5,
      memoryMb: 128,
      tokens: 1000,
      executionSeconds: 30,
      batchSize: 1,
    });
  });

  it('raise no limit that the user set below them', () => {
    const limits = { fileOperations: 3, memoryMb: 64, tokens: 500, executionSeconds: 10, batchSize: 1 };
    expect(spiral(all, { limits }).limits).toEqual(limits);
  });
});

describe('the batch', () => {
  it.each([
    [0, 5, 2],
    [0, 1, 1],
    [0, 0, 0],
    [5, 9, 2],
    [2, 9, 1],
    [1, 9, 1],
  ])('of %i of %i criteria becomes %i', (batchSize, criteria, expected) => {
    const task = { ...TASK, acceptance: Array.from({ length: criteria }, String) };
    expect(spiral({ time: 3 }, { task, limits: { ...LIMITS, batchSize } }).limits.batchSize).toBe(expected);
  });
});

describe('without growth', () => {
  it('scope creep lowers the file operations', () => {
    const taskState = state({ interventions: [record('reinforce', 'scope_creep')] });
    const decision = decideInterventions(
      given({ iteration: 2, findings: [finding('scope_creep')], taskState }),
    );
    expect(decision.throttle?.limits).toEqual({ ...LIMITS, fileOperations: 425, batchSize: 2 });
  });

  it.each([
    ['memory', { fileOperations: 10, memoryMb: 8000, tokens: 0, durationMs: 1000 }, { memoryMb: 6963 }],
    [
      'time',
      { fileOperations: 10, memoryMb: 100, tokens: 0, durationMs: 119_000 },
      { executionSeconds: 102 },
    ],
    [
      'file operations',
      { fileOperations: 0, memoryMb: 0, tokens: 9, durationMs: 0 },
      { fileOperations: 425 },
    ],
  ])('the limit that came closest is lowered: %s', (_, resources, expected) => {
    expect(spiral({}, { resources }).limits).toEqual({ ...LIMITS, ...expected, batchSize: 2 });
  });

  it.each([undefined, null, 'much', { memory: 'x' }])('details that hold %j count as none', (growth) => {
    const input = given({ findings: [finding('resource_spiral', { details: { growth } })] });
    expect(decideInterventions(input).throttle?.limits.fileOperations).toBe(500);
  });
});

describe('recovery', () => {
  const clean = (input: InterventionInput, throttle: Throttle | null): InterventionInput => ({
    ...input,
    findings: [],
    iteration: input.iteration + 1,
    taskState: { ...input.taskState, throttle },
  });

  it('gives one step back after three clean iterations, and then the next', () => {
    const first = given({
      findings: [finding('resource_spiral', { severity: 'low', details: { growth: grown({ time: 3 }) } })],
    });
    const once = decideInterventions(first);
    const inForce = once.throttle?.limits ?? LIMITS;
    const again = {
      ...first,
      iteration: 2,
      endedAt: momentOf(2),
      limits: inForce,
      taskState: after(first, once),
    };
    const twice = decideInterventions(again);
    expect([once, twice].map(({ throttle }) => throttle?.limits.executionSeconds)).toEqual([60, 30]);
    expect(twice.throttle?.steps).toEqual([LIMITS, inForce]);

    let { throttle } = twice;
    const limits: (number | null)[] = [];
    for (let index = 0; index < 7; index += 1) {
      throttle = decideInterventions(clean(again, throttle)).throttle;
      limits.push(throttle === null ? null : throttle.limits.executionSeconds);
    }
    expect(limits).toEqual([30, 30, 60, 60, 60, null, null]);
  });

  it('begins anew with every finding', () => {
    const throttle: Throttle = { limits: NONE, steps: [LIMITS, NONE], clean: 2, text: 'x' };
    const input = clean(given(), throttle);
    expect(decideInterventions({ ...input, findings: [finding('no_files')] }).throttle).toEqual({
      ...throttle,
      clean: 0,
    });
  });

  it('names the limits that hold then', () => {
    const limits = { ...LIMITS, fileOperations: 77 };
    const throttle: Throttle = { limits: NONE, steps: [LIMITS, limits], clean: 2, text: 'old' };
    expect(decideInterventions(clean(given(), throttle)).throttle?.text).toContain('at most 77.');
  });

  it('keeps no step where nothing could be lowered', () => {
    const limits = { fileOperations: 5, memoryMb: 128, tokens: 1000, executionSeconds: 30, batchSize: 1 };
    const { decision } = spiral({ fileOperations: 3 }, { limits, configuredLimits: limits });
    expect(decision.throttle?.steps).toEqual([]);
  });
});

describe('the notice', () => {
  it('names the limits that are set, and what to do about what grew', () => {
    const limits = { ...LIMITS, tokens: 50_000, executionSeconds: 90 };
    const { plan } = spiral({ tokens: 1.6 }, { limits });
    for (const part of [
      'File operations: at most 500.',
      'at most 8192 MiB.',
      'Tokens: at most 35000.',
      'Time: at most 1 min 30 s.',
      'work at the first 2 not yet met',
      'read the part that you need',
    ]) {
      expect(plan.text).toContain(part);
    }
    expect(plan.text).not.toContain('several builds');
  });

  it('is silent about limits that are not set', () => {
    const { plan } = spiral({ time: 1.6 }, { limits: NONE, task: { ...TASK, acceptance: [] } });
    expect(plan.text).not.toMatch(/File operations|Memory|Tokens|criteria/);
  });
});
