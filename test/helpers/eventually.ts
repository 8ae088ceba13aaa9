import { vi } from 'vitest';

/** Milliseconds after which what never comes ends its test with a message, instead of the whole suite without one. */
export const LIMIT_MS = Number(process.env.TEST_LIMIT_MS ?? 170_000);

/** Resolves with what a check returns, once it doesn't throw. @throws after `LIMIT_MS`, what the check threw last. */
export function eventually<T>(check: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  return vi.waitFor(check, { timeout: limitMs, interval: 50 });
}
