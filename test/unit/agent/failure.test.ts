import { describe, expect, it } from 'vitest';
import { errorCause, failureEvents } from '../../../src/agent/failure.ts';
import { resetTime } from '../../../src/agent/reset-time.ts';

describe('the cause of an API error', () => {
  it.each([
    [401, '', 'auth'],
    [403, '', 'auth'],
    [402, '', 'rate_limited'],
    [429, '', 'rate_limited'],
    [500, '', 'outage'],
    [529, '', 'outage'],
    [400, 'usage limit of the prompt', 'other'],
    [null, 'unexpected status 401 Unauthorized: invalid x-api-key', 'auth'],
    [null, 'exceeded retry limit, last status: 429 Too Many Requests', 'rate_limited'],
    [null, '{"error":{"code":503,"message":"x"}}', 'outage'],
    [null, 'Request rejected (429) · no', 'rate_limited'],
    [null, "You've hit your 5-hour limit", 'rate_limited'],
    [null, 'quota exceeded', 'rate_limited'],
    [null, 'Invalid API key', 'auth'],
    [null, 'Please run /login', 'auth'],
    [null, 'connect ECONNREFUSED 127.0.0.1:1', 'outage'],
    [null, 'Unable to connect to API (ConnectionRefused)', 'outage'],
    [null, 'stream disconnected before completion', 'outage'],
    [null, 'model not found', 'other'],
    [null, 'the limit of 300 turns', 'other'],
  ] as const)('%s %s is %s', (status, message, cause) => {
    expect(errorCause(status, message)).toBe(cause);
  });

  it('a limit is told only when it ends the attempt', () => {
    const base = { status: 429, message: 'slow down' };
    expect(failureEvents({ ...base, fatal: true }).map((event) => event.kind)).toEqual(['limit', 'error']);
    expect(failureEvents({ ...base, fatal: false }).map((event) => event.kind)).toEqual(['error']);
  });
});

describe('when a limit ends', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['try again at Mar 17th, 2030 5:46 PM.', null, '2030-03-17T17:47:00.000Z'],
    ['try again at Dec 31st, 2029 11:59 PM', null, '2030-01-01T00:00:00.000Z'],
    ['try again at January 2, 2030, 12:05 AM', null, '2030-01-02T00:06:00.000Z'],
    ['try again at 5:46 PM', at, null],
    ['try again at Foo 2nd, 2030 5:46 PM', at, null],
    ['Please try again in 20s.', at, '2026-01-01T00:00:20.000Z'],
    ['Try again in 2 hours.', at, '2026-01-01T02:00:00.000Z'],
    ['retry after 1.5 minutes', at, '2026-01-01T00:01:30.000Z'],
    ['resets in 3 days', at, '2026-01-04T00:00:00.000Z'],
    ['Please try again in 20s.', null, null],
    ['try again in 99999999999999999999 days', at, null],
    ['try again in a moment', at, null],
  ])('%s', (message, writtenAt, expected) => {
    expect(resetTime(message, writtenAt)).toBe(expected);
  });
});
