import { isRecord } from './is-record.ts';
import { redactDeep } from './redact-deep.ts';
import { stripControl } from './text.ts';

/** The same plain data for the screen or another program: no secret in its texts, and nothing that can't be seen. */
export function shareable<T>(value: T, secrets: readonly string[]): T {
  return redactDeep(plain(value), [...secrets]) as T;
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return stripControl(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
