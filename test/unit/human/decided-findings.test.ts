import { reviewDiff } from 'ralph-diff-review';
import { expect, it } from 'vitest';
import { recordedFindings } from '../../../src/decide/attempt/review-changes.ts';
import { signOf } from '../../../src/domain/findings/avoidance.ts';
import { type GateOption, type GateRequest, NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import type { JournalRecord } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** A finding about a test that accepts more than before. */
const WEAKENED = {
  path: 'sum.test.ts',
  before: "it('sums', () => {\n  expect(sum(1, 1)).toBe(2);\n});\n",
  after: "it('sums', () => {\n  expect(sum(1, 1)).toBeDefined();\n});\n",
};

/** Which of the findings of that change a decision at a gate of T-1 covers in the next attempt at a task. */
function coveredAfter(gate: GateRequest['gate'], option: GateOption, taskId: string) {
  const { findings } = reviewDiff({ files: [WEAKENED] });
  const none = { whitelist: [], decided: [] };
  const found = recordedFindings(findings, { taskId, at: AT }, none);
  const request: GateRequest = {
    ...{ id: 'G-1', gate, action: null, at: AT, run: 'r-1', iteration: 1, diffSha256: 'abc' },
    facts: { ...NO_GATE_FACTS, taskId: 'T-1', signs: found.map(signOf) },
    triggers: [{ gate, name: 'assertions_weakened', text: '3 assertions weakened' }],
    ...{ deadline: AT, onTimeout: 'block', recoveryLimit: 3, escalated: false, notes: [] },
  };
  const decision = {
    ...{ request: 'G-1', option, reason: 'because', guidance: '', agent: null },
    by: { user: 'you', role: 'developer', signature: null },
  } as const;
  const records: JournalRecord[] = [
    { seq: 1, at: AT, type: 'human_gate_opened', request },
    { seq: 2, at: AT, type: 'human_gate_decided', decision },
  ];
  const { human } = foldRecords(EMPTY_STATE, records);
  return recordedFindings(findings, { taskId, at: AT }, human).map(({ whitelisted }) => whitelisted);
}

it.each([
  ['GATE-AP-FALSE-POSITIVE', 'legitimate', 'T-1', ['G-1']],
  ['GATE-AP-FALSE-POSITIVE', 'whitelist', 'T-1', ['G-1']],
  ['GATE-AP-DESTRUCTIVE', 'approve', 'T-1', ['G-1']],
  ['GATE-AP-FALSE-POSITIVE', 'violation', 'T-1', [null]],
  ['GATE-AP-DESTRUCTIVE', 'reject', 'T-1', [null]],
  ['GATE-AP-RECOVERY', 'approve', 'T-1', [null]],
  ['GATE-AP-FALSE-POSITIVE', 'legitimate', 'T-2', [null]],
] as const)('the same finding again, after %s %s of T-1, at %s: %j', (gate, option, taskId, covered) => {
  expect(coveredAfter(gate, option, taskId)).toEqual(covered);
});
