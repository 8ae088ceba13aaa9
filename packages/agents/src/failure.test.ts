import { describe, expect, it } from 'vitest';
import { failureEvents } from './failure.ts';
import { resetTime } from './reset-time.ts';
import { serviceKind } from './service.ts';

describe('the cause of an API error', () => {
  it.each([
    [401, '', 'auth'],
    [403, '', 'auth'],
    [402, '', 'credit'],
    [402, 'You have exceeded your premium request allowance.', 'rate_limited'],
    [429, '', 'rate_limited'],
    [500, '', 'outage'],
    [529, '', 'outage'],
    [400, 'usage limit of the prompt', 'other'],
    [null, 'unexpected status 401 Unauthorized: invalid x-api-key', 'auth'],
    [null, 'exceeded retry limit, last status: 429 Too Many Requests', 'throttled'],
    [null, '{"error":{"code":503,"message":"x"}}', 'outage'],
    [null, 'Request rejected (429) · no', 'rate_limited'],
    [null, "You've hit your 5-hour limit", 'rate_limited'],
    [null, 'quota exceeded', 'rate_limited'],
    [null, 'Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to raise it', 'rate_limited'],
    [null, '5-hour limit reached · resets 3pm (Asia/Tokyo) · /upgrade to raise it', 'rate_limited'],
    [null, 'You have exceeded your premium request allowance.', 'rate_limited'],
    [null, 'Context limit reached', 'context'],
    [null, 'Invalid API key', 'auth'],
    [null, 'Please run /login', 'auth'],
    [null, 'connect ECONNREFUSED 127.0.0.1:1', 'outage'],
    [null, 'Unable to connect to API (ConnectionRefused)', 'outage'],
    [null, 'stream disconnected before completion', 'outage'],
    [407, '407 Proxy Authentication Required', 'outage'],
    [302, 'Found', 'outage'],
    [511, 'Network Authentication Required', 'outage'],
    [403, '<!DOCTYPE html><html><title>Blocked by your organization</title></html>', 'outage'],
    [404, '404 <html><body>sign in</body></html>', 'outage'],
    [401, '401 <html>', 'auth'],
    [429, '429 <html>', 'rate_limited'],
    [403, 'You may not use this model', 'auth'],
    // Messages about proxies, each as a program of an agent puts it.
    [null, 'API Error: 407 Proxy Authentication Required', 'outage'],
    [
      null,
      'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the request. Response: content-type html, body is an HTML page',
      'outage',
    ],
    [null, 'API Error: JSON Parse error: Unterminated string', 'outage'],
    [null, 'Error reading response: malformed server-sent event JSON.', 'outage'],
    [null, "API Error: Can't reach the API server — check your internet or DNS (EAI_AGAIN)", 'outage'],
    [null, 'API Error: Unable to connect to API (EPROTO)', 'outage'],
    [null, 'stream disconnected before completion: stream closed before response.completed', 'outage'],
    [null, 'unexpected status 407 Proxy Authentication Required: <!DOCTYPE html>', 'outage'],
    [null, 'unexpected status 403 Forbidden: <!DOCTYPE html>\n<html>', 'outage'],
    [null, 'stream disconnected: failed to lookup address information: Try again', 'outage'],
    [null, 'Failed native model HTTP request: error decoding response body: unexpected EOF', 'outage'],
    [null, 'Failed to finalize chat-completions stream: request ended without sending any chunks', 'outage'],
    [null, 'non-streaming response body was not valid JSON: EOF while parsing a string at line 1', 'outage'],
    [null, 'Failed to parse chat-completions stream chunk: EOF while parsing a string', 'outage'],
    [null, 'Failed to get response from the AI model; retried 5 times Last error: x', 'outage'],
    [
      null,
      'Failed to get response from the AI model; retried 5 times Last error: 429 Rate limit reached.',
      'rate_limited',
    ],
    [null, 'Model stream ended without a finish reason.', 'outage'],
    [null, '[API Error: Incomplete JSON segment at the end]', 'outage'],
    [null, '[API Error: Unterminated string in JSON at position 14]', 'outage'],
    [null, 'Stream ended without finish_reason', 'outage'],
    [null, 'Unexpected token < in JSON at position 0', 'outage'],
    [null, 'self signed certificate in certificate chain', 'outage'],
    [null, 'Forbidden: request was blocked by a gateway or proxy. You may not have permission', 'outage'],
    [null, 'Cannot connect to API: The socket connection was closed unexpectedly.', 'outage'],
    [
      null,
      '[API Error: Streaming request received a non-SSE response (HTTP 200, Content-Type: application/json)',
      'outage',
    ],
    [null, 'No auth type is selected. Please configure an auth type', 'auth'],
    [null, 'No API key found for the selected model.', 'auth'],
    [null, 'Not logged in · Please run /login', 'auth'],
    [null, 'model not found', 'model'],
    [null, 'prompt is too long: 250000 tokens > 200000 maximum', 'context'],
    [400, 'a request with a field that does not fit', 'other'],
    [429, 'Too many tokens, please wait before trying again.', 'rate_limited'],
    [null, 'maximum number of turns reached', 'other'],
    [null, 'the limit of 300 turns', 'other'],
  ] as const)('%s %s is %s', (status, message, cause) => {
    expect(serviceKind({ status, words: message })).toBe(cause);
  });

  it('a limit is told only when it ends the attempt', () => {
    const base = { program: 'any', status: 429, message: 'slow down' };
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
    ['You have hit your usage limit. Try again at 5:46 PM.', at, '2026-01-01T17:47:00.000Z'],
    ['or try again at 3:59 AM.', Date.parse('2026-01-01T03:59:30Z'), '2026-01-01T04:00:00.000Z'],
    ['or try again at 3:59 AM.', Date.parse('2026-01-01T04:00:00Z'), '2026-01-02T04:00:00.000Z'],
    ['try again at 12:00 AM', Date.parse('2026-12-31T23:00:00Z'), '2027-01-01T00:01:00.000Z'],
    ['try again at 12:30 PM', at, '2026-01-01T12:31:00.000Z'],
    ['try again at 15:46', at, '2026-01-01T15:47:00.000Z'],
    ['try again at 5:46 PM', null, null],
    ['try again at 25:46', at, null],
    ['try again at 13:46 PM', at, null],
    ['try again at Mar 17th, 5:46 PM', at, '2026-03-17T17:47:00.000Z'],
    ['try again at Dec 31st, 5:46 PM', Date.parse('2027-01-01T00:00:00Z'), '2027-12-31T17:47:00.000Z'],
    ["You've hit your 5-hour limit · resets 3pm (Europe/Berlin)", at, '2026-01-01T14:01:00.000Z'],
    ['Claude AI usage limit reached|1767290400', at, '2026-01-01T18:00:00.000Z'],
    [
      'Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to raise it',
      at,
      '2026-01-01T01:01:00.000Z',
    ],
    ['Your limit resets at 10:57 PM GMT-3.', at, '2026-01-01T01:58:00.000Z'],
    ['Your limit resets at 10:57 PM UTC+02:00.', at, '2026-01-01T20:58:00.000Z'],
    ["You've hit your limit · resets 3:45am (America/New_York)", at, '2026-01-01T08:46:00.000Z'],
    ["You've hit your weekly limit · resets Mar 9 at 5pm (UTC)", at, '2026-03-09T17:01:00.000Z'],
    ['resets 3pm (Nowhere/Land)', at, '2026-01-01T15:01:00.000Z'],
    ['try again at Foo 2nd, 2030 5:46 PM', at, null],
    ['Please try again in 20s.', at, '2026-01-01T00:00:20.000Z'],
    ['Try again in 2 hours.', at, '2026-01-01T02:00:00.000Z'],
    ['try again in 2 hours 5 minutes', at, '2026-01-01T02:05:00.000Z'],
    ['Try again in 3 days 20 hours 9 minutes.', at, '2026-01-04T20:09:00.000Z'],
    ['try again in 1 hour, 2 minutes and 3 seconds', at, '2026-01-01T01:02:03.000Z'],
    ['Your quota will reset after 13h49m20s.', at, '2026-01-01T13:49:20.000Z'],
    ['Please retry in 24.5s.', at, '2026-01-01T00:00:24.500Z'],
    ['try again in 850ms', at, '2026-01-01T00:00:00.850Z'],
    ['Try again in less than a minute.', at, '2026-01-01T00:01:00.000Z'],
    ['try again in 1 week', at, '2026-01-08T00:00:00.000Z'],
    ['try again in 3 monkeys', at, null],
    ['retry after 1.5 minutes', at, '2026-01-01T00:01:30.000Z'],
    ['resets in 3 days', at, '2026-01-04T00:00:00.000Z'],
    ['Please try again in 20s.', null, null],
    ['try again in 99999999999999999999 days', at, null],
    ['try again in a moment', at, null],
  ])('%s', (message, writtenAt, expected) => {
    expect(resetTime(message, writtenAt)).toBe(expected);
  });
});
