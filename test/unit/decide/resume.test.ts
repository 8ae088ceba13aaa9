import { describe, expect, it } from 'vitest';
import { sessionToResume, shareOf } from '../../../src/decide/attempt/resume.ts';
import type { Usage } from '../../../src/domain/agent.ts';
import { type AttemptSummary, EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { attemptSummary } from '../../helpers/facts.ts';

const usage = (inputTokens: number, outputTokens: number, costUsd: number | null = null): Usage => ({
  ...{ inputTokens, outputTokens, costUsd },
  cachedTokens: 0,
});
const attempt = (more: Partial<AttemptSummary>): AttemptSummary =>
  attemptSummary({ agent: 'codex', session: { id: 's-1', usage: null }, ...more });

describe('sessionToResume', () => {
  it.each([
    ['no attempt', [], null],
    ['the last attempt', [attempt({ session: { id: 's-0', usage: null } }), attempt({})], 's-1'],
    ['one that told no session', [attempt({ session: null })], null],
    ['another agent in between', [attempt({}), attempt({ agent: 'claude' })], null],
    ['one that broke down', [attempt({ verdict: 'agent_error' })], null],
    ['one that hit a limit', [attempt({ verdict: 'rate_limited' })], 's-1'],
    ['one that timed out', [attempt({ verdict: 'timed_out' })], 's-1'],
  ])('after %s', (_, attempts, id) => {
    expect(sessionToResume({ ...EMPTY_TASK_STATE, attempts }, 'codex')?.id ?? null).toBe(id);
  });
});

describe('shareOf', () => {
  const before = { id: 's-1', usage: usage(100, 10, 1) };
  const sums = { cumulativeUsage: true };
  it.each([
    ['of a fresh session is all', usage(5, 5), null, sums, usage(5, 5)],
    ['is what came on top', usage(150, 12, 1.5), before, sums, usage(50, 2, 0.5)],
    [
      'of an agent that tells each attempt is all',
      usage(150, 12),
      before,
      { cumulativeUsage: false },
      usage(150, 12),
    ],
    ['is all when less was told than before', usage(20, 2), before, sums, usage(20, 2)],
    ['of nothing is nothing', null, before, sums, null],
    ['without a figure before is all', usage(5, 5), { id: 's-1', usage: null }, sums, usage(5, 5)],
  ])('%s', (_, told, resumed, adapter, share) => {
    expect(shareOf(told, resumed, adapter)).toEqual(share);
  });
});
