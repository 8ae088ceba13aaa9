import { expect, it } from 'vitest';
import { NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import { type HumanState, NO_GATE_TOTALS, NO_HUMAN_STATE } from '../../../src/domain/human/state.ts';
import { gateMetrics } from '../../../src/state/metrics.ts';

const AT = '2026-01-01T00:00:00.000Z';

function rejected(taskId: string): HumanState['decided'][0] {
  const facts = { ...NO_GATE_FACTS, taskId };
  const request = {
    ...{ id: 'G-1', gate: 'GATE-AP-DESTRUCTIVE' as const, facts, triggers: [], action: null, at: AT },
    ...{
      run: 'r',
      iteration: 1,
      diffSha256: null,
      deadline: null,
      onTimeout: 'block' as const,
      recoveryLimit: 3,
    },
    ...{ escalated: false, notes: [] },
  };
  return { request, at: AT, option: 'reject', reason: '', user: 'you' };
}

it('the numbers of the human gates are shares of what they are shares of', () => {
  const human: HumanState = {
    ...NO_HUMAN_STATE,
    totals: {
      'GATE-AP-RECOVERY': {
        ...NO_GATE_TOTALS,
        opened: 1,
        decided: { approve: 1, abort: 1 },
        seconds: 90,
        attempts: 6,
      },
      'GATE-AP-DESTRUCTIVE': { ...NO_GATE_TOTALS, opened: 2, decided: { approve: 1, reject: 3 } },
    },
    detections: { test_skip: { confirmed: 3, falsePositives: 1 } },
    decided: [rejected('T-1'), rejected('T-2')],
  };
  const tasks = [
    { id: 'T-1', done: true, blocked: false, usd: 2 },
    { id: 'T-2', done: false, blocked: true, usd: 4 },
    { id: 'T-3', done: true, blocked: false, usd: 1 },
    { id: 'T-4', done: true, blocked: false, usd: 2 },
  ];
  expect(gateMetrics({ human, recoveries: [] }, tasks)).toMatchObject({
    recovery: { escalation_rate: 0.25, average_attempts_before_escalation: 3, time_to_decision_seconds: 45 },
    false_positives: { false_positive_rate: 0.25, detection_precision: 0.75 },
    destructive: { destructive_action_rate: 0.5, approval_rate: 0.25, alternative_found_rate: 0.5 },
    tasks: {
      with_people: { count: 2, average_usd: 3, error_rate: 0.5 },
      without: { count: 2, average_usd: 1.5, error_rate: 0 },
    },
  });
  expect(gateMetrics({ human: NO_HUMAN_STATE, recoveries: [] }, []).recovery.escalation_rate).toBeNull();
});
