import { describe, expect, it } from 'vitest';
import { type GateOption, type GateRequest, NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import type { JournalBody, JournalRecord } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type State, taskStateOf } from '../../../src/domain/records/state.ts';
import { foldRecords, viewDocuments } from '../../../src/state/index.ts';

const AT = '2026-01-01T00:00:00.000Z';

function request(gate: GateRequest['gate'], change: Partial<GateRequest> = {}): GateRequest {
  return {
    id: 'G-1',
    gate,
    facts: {
      ...NO_GATE_FACTS,
      taskId: 'T-1',
      patterns: ['test_deletion'],
      files: ['a.test.ts'],
      recoveryAttempts: 3,
    },
    triggers: [{ gate, name: 'tests_removed', text: '1 test removed' }],
    ...{ action: null, at: AT, run: 'r-1', iteration: 1, diffSha256: 'abc' },
    ...{ deadline: AT, onTimeout: 'block', recoveryLimit: 3, escalated: false, notes: [] },
    ...change,
  };
}

function fold(...bodies: JournalBody[]): State {
  const records = bodies.map(
    (body, index): JournalRecord => ({ seq: index + 1, at: '2026-01-01T00:01:00.000Z', ...body }),
  );
  return foldRecords(EMPTY_STATE, records);
}

const decided = (option: GateOption, agent: string | null = null): JournalBody => ({
  type: 'human_gate_decided',
  decision: {
    ...{ request: 'G-1', option, reason: 'because', guidance: '', agent },
    by: { user: 'you', role: 'developer', signature: null },
  },
});
const opened = (gate: GateRequest['gate'], change: Partial<GateRequest> = {}): JournalBody => ({
  type: 'human_gate_opened',
  request: request(gate, change),
});

describe('what a decision does to its task', () => {
  it.each<[GateRequest['gate'], GateOption, 'open' | 'blocked' | 'waits', boolean]>([
    ['GATE-AP-RECOVERY', 'approve', 'open', true],
    ['GATE-AP-RECOVERY', 'retry', 'open', false],
    ['GATE-AP-RECOVERY', 'delegate', 'open', false],
    ['GATE-AP-RECOVERY', 'reject', 'blocked', false],
    ['GATE-AP-RECOVERY', 'abort', 'blocked', false],
    ['GATE-AP-FALSE-POSITIVE', 'legitimate', 'open', true],
    ['GATE-AP-FALSE-POSITIVE', 'whitelist', 'open', true],
    ['GATE-AP-FALSE-POSITIVE', 'violation', 'open', false],
    ['GATE-AP-FALSE-POSITIVE', 'needs-review', 'waits', false],
    ['GATE-AP-DESTRUCTIVE', 'approve', 'open', true],
    ['GATE-AP-DESTRUCTIVE', 'reject', 'open', false],
    ['GATE-AP-DESTRUCTIVE', 'suggest', 'open', false],
    ['GATE-AP-DESTRUCTIVE', 'abort', 'blocked', false],
  ])('%s %s: %s', (gate, option, status, approves) => {
    const state = fold(opened(gate), decided(option, 'codex'));
    const task = taskStateOf(state, 'T-1');
    expect(task.parked).toBe(status === 'waits');
    expect(task.blocked?.reason ?? null).toBe(status === 'blocked' ? 'human_rejected' : null);
    expect(state.human.requests).toHaveLength(status === 'waits' ? 1 : 0);
    expect(task.decisions.approved).toEqual(approves ? [{ request: 'G-1', diffSha256: 'abc' }] : []);
  });

  it('a change that is rejected is not started again, one that is approved is', () => {
    const aside = { checkpoint: 'kept/1', base: 'a', tree: 'b', paths: [], both: [], sha256: 'def' };
    const work = {
      type: 'work_set_aside',
      ...{ why: 'ended' as const, rollback: null },
      worker: 1,
      worktree: '/w',
      taskId: 'T-1',
      setAside: aside,
      leftTree: 'a',
      why: 'ended',
    } as const;
    const taskAfter = (option: GateOption) =>
      taskStateOf(fold(opened('GATE-AP-DESTRUCTIVE'), work, decided(option)), 'T-1');
    expect(taskAfter('approve')).toMatchObject({
      setAside: aside,
      decisions: { approved: [{ diffSha256: 'def' }] },
    });
    expect(taskAfter('approve').takesUp).toBe(true);
    // Yours to have all the same.
    expect(taskAfter('reject')).toMatchObject({ setAside: aside, takesUp: false });
  });

  it('delegate names the agent of the task', () => {
    const state = fold(opened('GATE-AP-RECOVERY'), decided('delegate', 'codex'));
    expect(taskStateOf(state, 'T-1').decisions.agent).toBe('codex');
  });

  it('a request is decided once', () => {
    const state = fold(opened('GATE-AP-RECOVERY'), decided('abort'), decided('approve'));
    expect(taskStateOf(state, 'T-1').blocked).not.toBeNull();
    expect(state.human.decided.map(({ option }) => option)).toEqual(['abort']);
  });

  it('a timeout blocks, or asks again without a limit; it never lets pass', () => {
    const late = { type: 'human_gate_timed_out', request: 'G-1', taskId: 'T-1', became: 'blocked' } as const;
    expect(taskStateOf(fold(opened('GATE-AP-RECOVERY'), late), 'T-1').blocked?.detail).toContain('G-1');
    const again = fold(opened('GATE-AP-RECOVERY', { onTimeout: 'escalate' }), late);
    expect(taskStateOf(again, 'T-1')).toMatchObject({ parked: true, blocked: null });
    expect(again.human.requests).toMatchObject([{ escalated: true, deadline: null }]);
  });

  it('counts the answers at the false-positive gate, by kind of finding', () => {
    const gate = 'GATE-AP-FALSE-POSITIVE';
    const state = fold(opened(gate), decided('legitimate'), opened(gate), decided('violation'));
    expect(state.human.detections).toEqual({ test_deletion: { confirmed: 1, falsePositives: 1 } });
    expect(state.human.examples).toMatchObject([{ request: 'G-1', files: ['a.test.ts'] }]);
    expect(state.human.totals[gate]).toMatchObject({
      opened: 2,
      decided: { legitimate: 1, violation: 1 },
      seconds: 120,
    });
  });
});

describe('the documents', () => {
  const options = { maxEvents: 10, feedbackRotationDays: 30, now: AT };
  const paths = (state: State) => viewDocuments(state, options).map(({ path }) => path);

  it('are there once something was asked', () => {
    expect(paths(EMPTY_STATE).some((path) => /^(gates|whitelists)/.test(path))).toBe(false);
    const entry = {
      id: 'W-1',
      pattern: 'test_skip',
      justification: 'slow',
      by: 'you',
      at: AT,
      expiresAt: AT,
      removedAt: null,
    };
    const state = fold(
      opened('GATE-AP-FALSE-POSITIVE'),
      decided('legitimate'),
      { type: 'whitelist_changed', entry: { ...entry, path: null } },
      { type: 'whitelist_changed', entry: { ...entry, id: 'W-2', path: '../../x/a.test.ts' } },
    );
    expect(paths(state)).toEqual(
      expect.arrayContaining([
        'gates/G-1.json',
        'whitelists/global.json',
        'whitelists/files/..%2F..%2Fx%2Fa.test.ts.json',
        'whitelists/examples/G-1.json',
      ]),
    );
  });
});
