import { isRecord } from '../../lib/is-record.ts';
import { stripControl } from '../../lib/text.ts';

/** The same plain data with nothing in its texts that acts on a terminal. Names of members stay as they are. */
export function printable<T>(value: T): T {
  return walk(value) as T;
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return stripControl(value);
  if (Array.isArray(value)) return value.map(walk);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
}
