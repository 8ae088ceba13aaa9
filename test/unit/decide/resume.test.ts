import { describe, expect, it } from 'vitest';
import { sessionToResume } from '../../../src/decide/attempt/starting-attempt.ts';
import { type AttemptSummary, EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { attemptSummary } from '../../helpers/facts.ts';

const attempt = (more: Partial<AttemptSummary>): AttemptSummary =>
  attemptSummary({ agent: 'codex', session: { id: 's-1', usage: [] }, ...more });

describe('sessionToResume', () => {
  it.each([
    ['no attempt', [], null],
    ['the last attempt', [attempt({ session: { id: 's-0', usage: [] } }), attempt({})], 's-1'],
    ['one that told no session', [attempt({ session: null })], null],
    ['another agent in between', [attempt({}), attempt({ agent: 'claude' })], null],
    ['one that broke down', [attempt({ verdict: 'agent_error' })], null],
    ['one that hit a limit', [attempt({ verdict: 'rate_limited' })], 's-1'],
    ['one that timed out', [attempt({ verdict: 'timed_out' })], 's-1'],
  ])('after %s', (_, attempts, id) => {
    expect(sessionToResume({ ...EMPTY_TASK_STATE, attempts }, { name: 'codex' })?.id ?? null).toBe(id);
  });
});
