import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobState } from '../index.d.ts';
import { nextOfJob } from './next-of-job.ts';
import type { RemoteAttemptState } from './protocol.ts';

const offered: RemoteAttemptState = { kind: 'offered', job: 'J' };
const claimed: RemoteAttemptState = { kind: 'claimed', job: 'J', claim: 'C', worker: 'w', lost: [] };
const delivered: RemoteAttemptState = { kind: 'delivered', job: 'J', claim: 'C', result: 'R', lost: [] };

describe('what follows for an attempt that was offered', () => {
  const table: readonly [RemoteAttemptState, JobState, boolean, ReturnType<typeof nextOfJob>][] = [
    [offered, 'waiting', false, 'wait'],
    [offered, 'active', false, 'wait'],
    [offered, 'gone', false, 'queue'],
    [offered, 'away', false, 'wait'],
    [claimed, 'active', false, 'wait'],
    [claimed, 'away', false, 'wait'],
    // The engine was wiped, or the worker is lost and its job wasn't taken over.
    [claimed, 'gone', false, 'queue'],
    [delivered, 'active', false, 'take'],
    [delivered, 'gone', true, 'take'],
    [offered, 'waiting', true, 'cancelled'],
    [claimed, 'gone', true, 'cancelled'],
    // A worker at an attempt still reports what it used.
    [claimed, 'active', true, 'wait'],
    [{ kind: 'none' }, 'active', false, 'superseded'],
    [{ kind: 'offered', job: 'other' }, 'waiting', false, 'superseded'],
    [{ ...delivered, job: 'other' }, 'gone', false, 'superseded'],
  ];
  it.each(table)('%o, %s, cancelled %s: %s', (current, state, isCancelled, next) => {
    expect(nextOfJob({ job: 'J', current, state, isCancelled, isLimited: false })).toBe(next);
  });

  const limited: readonly [RemoteAttemptState, JobState, ReturnType<typeof nextOfJob>][] = [
    [offered, 'waiting', 'limited'],
    // A worker has it from the engine and hasn't claimed it: the remote decides who is faster.
    [offered, 'active', 'limited'],
    [offered, 'gone', 'limited'],
    [offered, 'away', 'limited'],
    // The worker gave the job back before its agent started.
    [claimed, 'waiting', 'limited'],
    [claimed, 'gone', 'limited'],
    // A worker that began before the limit was met may finish.
    [claimed, 'active', 'wait'],
    [claimed, 'away', 'wait'],
    [delivered, 'gone', 'take'],
  ];
  it.each(limited)('%o, %s, its account at a limit: %s', (current, state, next) => {
    expect(nextOfJob({ job: 'J', current, state, isCancelled: false, isLimited: true })).toBe(next);
  });

  it('never waits for what no worker has, and queues nothing that is delivered', () => {
    const anyNow = fc.constantFrom(offered, claimed, delivered);
    const anyState = fc.constantFrom<JobState>('waiting', 'active', 'gone', 'away');
    fc.assert(
      fc.property(anyNow, anyState, fc.boolean(), fc.boolean(), (current, state, isCancelled, isLimited) => {
        const next = nextOfJob({ job: 'J', current, state, isCancelled, isLimited });
        if (state === 'gone') expect(next).not.toBe('wait');
        if (current.kind === 'delivered') expect(next).toBe('take');
      }),
    );
  });
});
