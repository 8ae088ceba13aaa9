import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { reviewChanges } from '../../../src/decide/index.ts';
import type { ChangeSet } from '../../../src/domain/change-set.ts';
import { signOf } from '../../../src/domain/findings/avoidance.ts';
import { type DecidedGate, type GateOption, NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import { NO_HUMAN_STATE } from '../../../src/domain/human/state.ts';

const PATCH = `diff --git a/sum.test.js b/sum.test.js
--- a/sum.test.js
+++ b/sum.test.js
@@ -1,3 +1,3 @@
-it('adds', () => {
+it.skip('adds', () => {
   assert.equal(sum(1, 2), 3);
 });
`;
const FACTS = {
  task: { ...EMPTY_TASK, id: 'T-1' },
  commandRuns: [],
  baseline: null,
  endedAt: '2030-01-02T00:00:00.000Z',
};
const changes = { changes: [{ path: 'sum.test.js' }] } as unknown as ChangeSet;
const found = (decided: DecidedGate[], taskId = 'T-1') =>
  reviewChanges(
    { ...FACTS, task: { ...FACTS.task, id: taskId } },
    { changes, patch: PATCH },
    { ...NO_HUMAN_STATE, decided },
  ).findings;

/** Returns a request about signs of avoidance that you decided with this option. */
function decided(option: GateOption, signs: string[]): DecidedGate {
  const facts = { ...NO_GATE_FACTS, taskId: 'T-1', signs };
  const request = { id: 'G-1', gate: 'GATE-AP-FALSE-POSITIVE', facts, action: null };
  return { request, option, at: '', reason: 'fine', user: 'me' } as unknown as DecidedGate;
}

describe('a finding that you called fine', () => {
  const signs = found([]).map(signOf);

  it.each<[GateOption, string | null]>([
    ['legitimate', 'G-1'],
    ['whitelist', 'G-1'],
    ['approve', 'G-1'],
    ['violation', null],
    ['abort', null],
  ])('%s: the same one again counts as %s', (option, request) => {
    expect(found([decided(option, signs)]).map(({ whitelisted }) => whitelisted)).toEqual([request]);
  });

  it('says nothing of another one, or of another task', () => {
    expect(found([decided('legitimate', ['another'])])[0]?.whitelisted).toBeNull();
    expect(found([decided('legitimate', signs)], 'T-2')[0]?.whitelisted).toBeNull();
  });
});
