import { describe, expect, it } from 'vitest';
import { type AttemptSummary, EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import type { Verdict, VerdictKind } from '../../../src/domain/verdict.ts';
import { decideBlocked } from '../../../src/respond/blocked/index.ts';
import { attemptSummary } from '../../helpers/facts.ts';

const VERDICTS: Readonly<Record<VerdictKind, Verdict>> = {
  done: { kind: 'done' },
  already_done: { kind: 'already_done' },
  conflict: { kind: 'conflict', tasks: [] },
  gate_down: { kind: 'gate_down', gates: [] },
  progress: { kind: 'progress' },
  no_files: { kind: 'no_files', completionClaimed: true },
  false_completion: { kind: 'false_completion', reasons: [] },
  incomplete: { kind: 'incomplete', reasons: [] },
  gates_failed: { kind: 'gates_failed', gates: ['test'] },
  changes_requested: { kind: 'changes_requested', roles: [] },
  timed_out: { kind: 'timed_out', which: 'wall', afterMs: 120_000 },
  agent_error: { kind: 'agent_error', message: 'exit 1' },
  review_blocked: { kind: 'review_blocked', why: 'denied_action', message: 'rm -rf /' },
  agent_blocked: { kind: 'agent_blocked', reason: 'no access to the registry' },
  rate_limited: { kind: 'rate_limited', message: '', resetsAt: null },
  throttled: { kind: 'throttled', message: '', resetsAt: null },
  credit: { kind: 'credit', message: '' },
  model: { kind: 'model', message: '' },
  context: { kind: 'context', message: '' },
  refused: { kind: 'refused', message: '' },
  auth: { kind: 'auth', message: '' },
  outage: { kind: 'outage', message: '' },
  spawn_failed: { kind: 'spawn_failed', message: '' },
  interrupted: { kind: 'interrupted', signal: null },
  awaiting_human: { kind: 'awaiting_human', requests: ['G-1'] },
};

/** Returns an attempt with this verdict; `idle`: it made progress and changed nothing. */
function attempt(kind: VerdictKind | 'idle', iteration: number): AttemptSummary {
  const verdict = kind === 'idle' ? 'progress' : kind;
  const filesChanged = kind === 'progress' ? 1 : 0;
  return attemptSummary({ iteration, verdict, cause: `cause of iteration ${iteration}`, filesChanged });
}

function decide(before: readonly (VerdictKind | 'idle')[], current: VerdictKind | 'idle', maxAttempts = 3) {
  const attempts = before.map((verdict, index) => attempt(verdict, index + 1));
  return decideBlocked({
    taskState: { ...EMPTY_TASK_STATE, attempts, inProgress: true },
    attempt: attempt(current, before.length + 1),
    verdict: VERDICTS[current === 'idle' ? 'progress' : current],
    maxAttempts,
    at: '2026-01-20T11:00:00.000Z',
    limitReached: null,
    outputTail: 'last words',
    failedGateTail: 'expected 1, got 2',
  });
}

describe('decideBlocked', () => {
  it.each([
    ['fewer failures than allowed', ['no_files'], 'no_files', null],
    ['the third failure', ['no_files', 'no_files'], 'no_files', 'no_files'],
    ['time-outs', ['timed_out', 'timed_out'], 'timed_out', 'timeout'],
    ['gates', ['gates_failed', 'gates_failed'], 'gates_failed', 'gate_failed'],
    ['what is missing', ['incomplete', 'incomplete'], 'incomplete', 'incomplete'],
    ['errors', ['agent_error', 'agent_error'], 'agent_error', 'agent_error'],
    ['the most frequent cause', ['timed_out', 'timed_out'], 'no_files', 'timeout'],
    ['the newest of equals', ['timed_out', 'false_completion'], 'no_files', 'no_files'],
    ['progress between does not count', ['no_files', 'progress'], 'no_files', null],
    ['progress between does not clear', ['no_files', 'no_files', 'progress'], 'no_files', 'no_files'],
    ['work that is never called done', ['progress', 'idle', 'idle'], 'idle', 'incomplete'],
    ['the same while something changes', ['idle', 'idle', 'idle'], 'progress', null],
    ['nothing but plans', ['no_files', 'idle'], 'idle', 'incomplete'],
    ['outages do not count', ['outage', 'rate_limited', 'auth', 'spawn_failed'], 'no_files', null],
    ['interruptions do not count', ['interrupted', 'interrupted'], 'no_files', null],
    ['progress after failures', ['no_files', 'no_files', 'no_files'], 'progress', null],
    ['done after failures', ['no_files', 'no_files'], 'done', null],
    ['an outage after failures', ['no_files', 'no_files', 'no_files'], 'outage', null],
    ["the agent's own word, at once", [], 'agent_blocked', 'agent_reported_blocked'],
  ] as const)('%s', (_, before, current, reason) => {
    expect(decide(before, current)?.reason ?? null).toBe(reason);
  });

  it.each([
    ['every failed gate lacked its tool', ['lint'], 'gate_tool_missing'],
    ['another gate failed beside it', ['lint', 'test'], 'gate_failed'],
  ])('%s', (_name, failedGates, reason) => {
    const missingTools = [{ gate: 'lint', tool: 'eslint' }];
    const last = { ...attempt('gates_failed', 1), failedGates, missingTools };
    const record = decideBlocked({
      taskState: EMPTY_TASK_STATE,
      attempt: last,
      verdict: VERDICTS.gates_failed,
      maxAttempts: 1,
      at: '2026-01-20T11:00:00.000Z',
      limitReached: null,
      outputTail: '',
      failedGateTail: '',
    });
    expect(record?.reason).toBe(reason);
    expect(record?.detail).toBe('Failed once. Last: cause of iteration 1');
  });

  it('obeys max_attempts_per_task', () => {
    expect(decide([], 'no_files', 1)?.reason).toBe('no_files');
    expect(decide(['no_files', 'no_files', 'no_files'], 'no_files', 5)).toBeNull();
  });

  it('records the whole series, and what was printed last', () => {
    const record = decide(['timed_out', 'progress', 'timed_out'], 'no_files');
    expect(record).toMatchObject({
      detail: 'Failed 3 times (out of time 2, nothing changed 1). Last: cause of iteration 4',
      at: '2026-01-20T11:00:00.000Z',
      run: 'r-1',
      iteration: 4,
      outputTail: 'last words',
      failedGateTail: 'expected 1, got 2',
    });
    expect(record?.attempts.map(({ iteration, verdict }) => [iteration, verdict])).toEqual([
      [1, 'timed_out'],
      [2, 'progress'],
      [3, 'timed_out'],
      [4, 'no_files'],
    ]);
  });

  it.each(['changes_requested', 'already_done'] as const)(
    '%s whose work is set aside is called not accepted',
    (verdict) => {
      const one = attemptSummary({ verdict, restarts: true });
      const record = decideBlocked({
        ...{
          taskState: { ...EMPTY_TASK_STATE, attempts: [one, one] },
          attempt: one,
          verdict: VERDICTS[verdict],
        },
        ...{ maxAttempts: 3, at: '', limitReached: null, outputTail: '', failedGateTail: '' },
      });
      expect(record?.reason).toBe('review_blocked');
    },
  );

  it("gives the agent's reason", () => {
    expect(decide([], 'agent_blocked')?.detail).toBe('no access to the registry');
  });
});
