import { isRecord } from '../lib/is-record.ts';
import { own } from '../lib/own.ts';

/** A place where two values differ; `undefined` stands for nothing at all. */
export type ValueDifference = { readonly path: string; readonly one: unknown; readonly other: unknown };

/**
 * Where two JSON values differ, as deep as their shapes agree: `a.b`, `a[2].c`. The order of keys does not matter, and
 * a key with the value `undefined` is as good as absent.
 */
export function differencesBetween(one: unknown, other: unknown, path: string): ValueDifference[] {
  if (Object.is(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, index) => differencesBetween(item, other[index], `${path}[${index}]`));
  }
  if (isRecord(one) && isRecord(other)) {
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differencesBetween(own(one, key), own(other, key), path === '' ? key : `${path}.${key}`),
    );
  }
  return [{ path, one, other }];
}
