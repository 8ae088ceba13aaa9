import { describe, expect, it } from 'vitest';
import { limitKind } from './service.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

describe('a limit of requests in a minute', () => {
  it.each<[string, number | null]>([
    ['429 Too Many Requests', null],
    ['exceeded retry limit, last status: 429 Too Many Requests', null],
    ["This request would exceed your organization's rate limit of 10,000 input tokens per minute", null],
    ['Number of request tokens has exceeded your per-minute rate limit', null],
    ['Number of concurrent connections to the service exceeds your rate limit.', null],
    ['Rate limit reached on tokens per min (TPM): Limit 30000, Used 29937.', 644],
    ['Rate limit reached. Please try again in 20s.', 20 * SECOND],
    [
      'Rate limit reached. Please try again in 20s. To increase your limits, request a quota increase',
      20_000,
    ],
    ["Quota exceeded for quota metric 'Generate Content API requests per minute'", null],
    ['too many requests', 2 * MINUTE],
  ])('is told by its words: %s (%s ms)', (message, resetsInMs) => {
    expect(limitKind(message, resetsInMs)).toBe('throttled');
  });

  it.each<[string, number | null]>([
    ['You have hit your usage limit. Try again in 2 hours.', 2 * HOUR],
    ["You've hit your limit · resets 1pm (Europe/Berlin)", HOUR],
    // What is used up is used up, however soon it is there again.
    ['You have hit your usage limit. Try again in 20s.', 20 * SECOND],
    ['Your credits are used up', null],
    ['You exceeded your current quota, please check your plan and billing details', null],
    ["Quota exceeded for quota metric 'requests' and limit 'requests per day'", null],
    // The message could mean either kind of limit.
    ["This request would exceed your account's rate limit. Please try again later.", null],
    ['429 Too Many Requests', 3 * HOUR],
    ['rate limit', 2 * MINUTE + 1],
  ])('is another one than what an account may use: %s (%s ms)', (message, resetsInMs) => {
    expect(limitKind(message, resetsInMs)).toBe('rate_limited');
  });
});
