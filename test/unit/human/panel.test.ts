import { displayWidth } from 'ralph-kit/columns';
import { describe, expect, it } from 'vitest';
import {
  formatGateDisplay,
  GATES,
  logGateDecision,
  shouldTriggerGate,
} from '../../../src/decide/human-gates.ts';
import { type GateRequest, HUMAN_GATES, NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import { OPTIONS } from '../../../src/tell/gate-options.ts';
import { gatePanel, gateText } from '../../../src/tell/gate-panel.ts';

const REQUEST: GateRequest = {
  id: 'G-7',
  gate: 'GATE-AP-RECOVERY',
  facts: {
    ...NO_GATE_FACTS,
    taskId: 'T-3',
    title:
      'Implement JWT authentication with a title that needs more than one line of the panel, 日本語 included',
    agent: 'codex',
    patterns: ['hardcoded_test_bypass'],
    severity: 'critical',
    files: [
      'src/auth/login.ts',
      'src/auth/a-file-with-a-long-name-that-does-not-fit-into-sixty-columns-at-all.ts',
    ],
    originalError: "jwt.verify() throws 'invalid signature'",
    detectedAt: '2026-02-03T10:30:00.000Z',
    recoveryAttempts: 3,
    diagnosisConfidence: 0.5,
    coverage: { before: 85, after: 85 },
    tests: { run: 12, passed: 10, failed: 2, skipped: 0 },
    recoveryRecord: '.ralph/recoveries/RS-003.json',
    history: ['Iteration 1: Removed bypass', 'Iteration 2: Fixed token \u001b[2Jformat'],
  },
  triggers: [
    { gate: 'GATE-AP-RECOVERY', name: 'recovery_attempts', text: '3 recovery attempts of 3 failed' },
  ],
  action: null,
  at: '2026-02-03T10:30:01.000Z',
  run: 'r-1',
  iteration: 4,
  diffSha256: 'a'.repeat(64),
  deadline: '2026-02-04T10:30:01.000Z',
  onTimeout: 'block',
  recoveryLimit: 3,
  escalated: false,
  notes: [],
};

describe('the panel', () => {
  it.each([30, 47, 60, 80, 200])('is a box of at most 80 columns at %i columns', (width) => {
    const rows = gatePanel(REQUEST, width).split('\n');
    expect(new Set(rows.map(displayWidth))).toEqual(new Set([Math.min(width, 80)]));
  });

  it.each([
    ['coverage_drop', [], 'coverage_regression'],
    ['tests_removed', ['stub_completion'], 'test_deletion'],
    ['skips_added', ['test_skip', 'error_swallowing'], 'test_skip'],
  ] as const)('names the pattern that %s counts', (name, patterns, shown) => {
    const gate = 'GATE-AP-DESTRUCTIVE' as const;
    const facts = { ...REQUEST.facts, patterns: [...patterns], severity: 'high' as const };
    const panel = gatePanel({ ...REQUEST, gate, facts, triggers: [{ gate, name, text: 'x' }] }, 80);
    expect(panel).toContain(`Pattern: ${shown} (HIGH)`);
  });

  it('shows what the document asks for', () => {
    const panel = gatePanel(REQUEST, 80);
    for (const text of [
      'HUMAN INTERVENTION REQUIRED',
      'Recovery Escalation Gate: GATE-AP-RECOVERY (G-7)',
      'Task: T-3 Implement JWT',
      'Pattern: hardcoded_test_bypass (CRITICAL)',
      'Recovery attempts: 3 / 3',
      'Agent: codex',
      'src/auth/login.ts',
      "jwt.verify() throws 'invalid signature'",
      'Detection time: 2026-02-03T10:30:00.000Z',
      'Iteration 1: Removed bypass',
      'Tests: 12 run, 10 passed, 2 failed, 0 skipped',
      'Coverage: 85 % (maintained)',
      'Confidence: 0.50 (low)',
      '.ralph/recoveries/RS-003.json',
      '[a] Approve',
      '[q] Abort',
    ])
      expect(panel).toContain(text);
    expect(panel).not.toContain('\u001b');
  });

  it('loses no word at 60 columns', () => {
    const words = (text: string) => text.replace(/[│╭╮╰╯├┤─\s]/g, '');
    expect(words(gatePanel(REQUEST, 60))).toBe(words(gatePanel(REQUEST, 80)));
  });

  it.each(HUMAN_GATES)('%s has a key of its own for each option, and the text its commands', (gate) => {
    const keys = OPTIONS[gate].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const text = gateText({ ...REQUEST, gate });
    for (const { option } of OPTIONS[gate]) expect(text).toContain(`ralph approvals decide G-7 ${option}`);
  });
});

describe("in the document's words", () => {
  it('the gates trigger as its examples say', () => {
    const { RECOVERY_ESCALATION, DESTRUCTIVE_ACTION, FALSE_POSITIVE } = GATES;
    expect(
      shouldTriggerGate(RECOVERY_ESCALATION, { recovery_attempts: 3, confidence: 0.45, severity: 'HIGH' }),
    ).toBe(true);
    expect(shouldTriggerGate(RECOVERY_ESCALATION, {})).toBe(false);
    expect(shouldTriggerGate(FALSE_POSITIVE, { false_positive_reported: true })).toBe(true);
    expect(
      shouldTriggerGate(DESTRUCTIVE_ACTION, {
        tests_removed: 2,
        replacement_tests: 2,
        coverage_maintained: true,
      }),
    ).toBe(false);
    expect(shouldTriggerGate(DESTRUCTIVE_ACTION, { coverage_delta: -2.1 })).toBe(true);
    expect(shouldTriggerGate(DESTRUCTIVE_ACTION, { coverage_delta: -2 })).toBe(false);
    expect(
      shouldTriggerGate(
        RECOVERY_ESCALATION,
        { recovery_attempts: 3 },
        { 'GATE-AP-RECOVERY': { recovery_attempts: 4 } },
      ),
    ).toBe(false);
  });

  it('the display is the panel, and the record has its members', () => {
    const context = { task_description: 'Implement JWT', severity: 'CRITICAL', recovery_attempts: 3 };
    expect(formatGateDisplay(GATES.RECOVERY_ESCALATION, context)).toContain('GATE-AP-RECOVERY');
    const record = logGateDecision(GATES.RECOVERY_ESCALATION, 'reject', {
      ...context,
      user: 'developer@example.com',
      reason: 'needs an expert',
      opened_at: '2026-02-03T10:42:00Z',
      timestamp: '2026-02-03T10:45:00Z',
    });
    expect(record).toMatchObject({
      gate_id: 'GATE-AP-RECOVERY',
      gate_name: 'Recovery Escalation Gate',
      decision: 'reject',
      user: 'developer@example.com',
      human_feedback: 'needs an expert',
      time_spent_seconds: 180,
      context: { task_description: 'Implement JWT', severity: 'CRITICAL', recovery_attempts: 3 },
    });
    expect(() => logGateDecision(GATES.FALSE_POSITIVE, 'retry', { user: 'x', timestamp: '' })).toThrow(
      TypeError,
    );
  });
});
