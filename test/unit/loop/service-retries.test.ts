import type { AgentErrorCause, AgentEvent, Retry } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import type { Halt } from '../../../src/domain/ports.ts';
import { RETRIES_MS, type RetryShown, retryText } from '../../../src/domain/service.ts';
import { watchRetries } from '../../../src/loop/watch/service-retries.ts';
import { openWaiting } from '../../../src/loop/watch/waiting.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

const MINUTE_MS = 60_000;
const WORDS: AgentEvent = { kind: 'text', text: 'I work on.', delta: false };

function failed(more: Partial<Retry> = {}, cause: AgentErrorCause = 'outage'): AgentEvent {
  const retry = { status: 503, attempt: null, of: null, inMs: null, ...more };
  return { kind: 'error', cause, message: 'the service is overloaded', fatal: false, retry };
}

function attempt(wallMs = 60 * MINUTE_MS) {
  const clock = virtualClock();
  const waiting = openWaiting(clock);
  const told: RetryShown[] = [];
  const halts: Halt[] = [];
  const retries = watchRetries({ clock, agent: 'gemini', wallMs, waiting });
  const onEvent = (event: AgentEvent) => {
    const followed = retries.onEvent(event);
    if (followed.retry !== undefined) told.push(followed.retry);
    return followed;
  };
  const watch = { ...retries, onEvent };
  void watch.halted.then((halt) => halts.push(halt));
  return { clock, waiting, told, halts, watch };
}

describe('requests that a program sends again', () => {
  it('are told with their numbers, or counted where it gives none', () => {
    const { watch, told } = attempt();
    watch.onEvent(failed({ attempt: 4, of: 10 }));
    watch.onEvent(WORDS);
    watch.onEvent(failed());
    watch.onEvent(failed({ status: null }));
    watch.onEvent(failed({ status: null }, 'other'));
    expect(told.map(retryText)).toEqual([
      'the service says 503, try 4 of 10',
      'the service says 503, try 1',
      'service out of reach, try 2',
      'service out of reach, try 3',
    ]);
  });

  it('take no time of the attempt until there is an answer', async () => {
    const { clock, watch, waiting } = attempt();
    await clock.pass(MINUTE_MS);
    watch.onEvent(failed());
    await clock.pass(MINUTE_MS);
    watch.onEvent({ kind: 'usage', scope: 'add', usage: [] });
    watch.onEvent(failed());
    await clock.pass(MINUTE_MS);
    watch.onEvent(WORDS);
    await clock.pass(MINUTE_MS);
    expect([waiting.isOpen(), waiting.totalMs()]).toEqual([false, 2 * MINUTE_MS]);
    expect(watch.close()).toEqual({ tries: 2, waitedMs: 2 * MINUTE_MS, answer: 'the service says 503' });
  });

  it('take no longer from its clock than its own limit is', async () => {
    const { clock, watch, waiting } = attempt(3 * MINUTE_MS);
    for (const _ of [1, 2]) {
      watch.onEvent(failed());
      await clock.pass(2 * MINUTE_MS);
      watch.onEvent(WORDS);
    }
    expect(waiting.totalMs()).toBe(3 * MINUTE_MS);
    expect(watch.close()).toMatchObject({ waitedMs: 4 * MINUTE_MS });
  });

  it('end the attempt where they take too long without an answer', async () => {
    const { clock, watch, halts } = attempt();
    watch.onEvent(failed());
    await clock.pass(RETRIES_MS - 1000);
    watch.onEvent(WORDS);
    watch.onEvent(failed());
    await clock.pass(RETRIES_MS - 1000);
    expect(halts).toEqual([]);
    await clock.pass(1000);
    expect(halts).toEqual([
      { why: 'endless', message: 'the service says 503: gemini has tried again for 5 min' },
    ]);
  });

  it('end it at once where the program says that it will wait for longer; of a limit that is its end', async () => {
    const { clock, watch, halts } = attempt();
    const inMs = 2 * 60 * MINUTE_MS;
    const resetsAt = new Date(Date.parse(clock.now()) + inMs).toISOString();
    expect(watch.onEvent(failed({ inMs: 1000 }, 'rate_limited'))).not.toHaveProperty('limit');
    expect(watch.onEvent(failed({ status: 429, inMs }, 'rate_limited')).limit).toMatchObject({
      ...{ kind: 'limit', resetsAt, inWords: false },
    });
    await clock.pass(0);
    expect(halts).toEqual([{ why: 'endless', message: 'the service says 429: gemini would wait 2 h' }]);
  });

  it('are over with an error that ends the attempt; there are none where nothing failed', async () => {
    const { clock, watch, waiting } = attempt();
    expect(watch.close()).toBeNull();
    watch.onEvent(failed());
    watch.onEvent({ kind: 'error', cause: 'outage', message: 'no answer', fatal: true });
    await clock.pass(0);
    expect(waiting.isOpen()).toBe(false);
  });
});
