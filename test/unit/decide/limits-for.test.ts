import { describe, expect, it } from 'vitest';
import {
  configuredLimits,
  knownCheckpoint,
  limitsFor,
} from '../../../src/decide/attempt/starting-attempt.ts';
import { Config } from '../../../src/domain/config.ts';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import { EMPTY_STATE, EMPTY_TASK_STATE, type TaskState } from '../../../src/domain/records/state.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import { baseline } from '../gates/inputs.ts';
import { attempt } from '../state/records.ts';

const config = Config.parse({});
const CONFIGURED = configuredLimits(config);

describe('the limits of an attempt', () => {
  it('are the strictest of configuration, throttling and restriction, each for itself; 0 means unlimited', () => {
    const throttle = {
      limits: { ...CONFIGURED, fileOperations: 100, tokens: 9000 },
      ...{ steps: [], clean: 0, text: '' },
    };
    const restriction = { incident: 'INC-1', limits: { ...CONFIGURED, fileOperations: 250, tokens: 5000 } };
    expect(limitsFor(CONFIGURED, { ...EMPTY_TASK_STATE, throttle, restriction })).toMatchObject({
      fileOperations: 100,
      memoryMb: 8192,
      tokens: 5000,
      executionSeconds: 0,
    });
  });
});

describe('a checkpoint', () => {
  const PASSED: GateOutcome = { kind: 'passed' };
  const FAILED: GateOutcome = { kind: 'failed', exitCode: 1, signal: null };
  const gateSuccess = (outcomes: Record<string, GateOutcome>, taskState: TaskState = EMPTY_TASK_STATE) =>
    knownCheckpoint({
      ...{ run: 'r-1', iteration: 7, taskId: 'A', at: '2026-01-20T10:00:00.000Z', taskState },
      before: { tree: 'tree', head: null, branch: null },
      state: {
        ...EMPTY_STATE,
        baseline: baseline(outcomes, { tree: 'tree' }),
      },
    }).gateSuccess;
  const having = (verdict: VerdictKind, ...failedGates: string[]): TaskState => ({
    ...EMPTY_TASK_STATE,
    attempts: [attempt({ verdict, failedGates })],
  });

  it.each([
    ['no gates', {}, EMPTY_TASK_STATE, 1],
    ['all pass', { a: PASSED, b: PASSED }, EMPTY_TASK_STATE, 1],
    ['one of two fails', { a: PASSED, b: FAILED }, EMPTY_TASK_STATE, 0.5],
    ['a skipped one does not count', { a: PASSED, b: { kind: 'skipped', reason: '' } }, EMPTY_TASK_STATE, 1],
    ['one that the last attempt broke', { a: PASSED, b: PASSED }, having('gates_failed', 'b'), 0.5],
    [
      'one that it broke, and that was rolled back',
      { a: PASSED },
      { ...EMPTY_TASK_STATE, attempts: [attempt({ failedGates: ['a'], rolledBack: true })] },
      1,
    ],
  ] as [string, Record<string, GateOutcome>, TaskState, number][])(
    '%s: %j',
    (_, outcomes, taskState, share) => {
      expect(gateSuccess(outcomes, taskState)).toBe(share);
    },
  );
});
