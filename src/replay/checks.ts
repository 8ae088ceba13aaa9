import { isObject } from 'ralph-kit/is-object';
import { own } from 'ralph-kit/own';

/** A document as found on disk. */
export type Found<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'read'; readonly value: T; readonly sha256: string };

export type Difference = {
  /** Number of the iteration; `null` for the run as a whole. */
  readonly iteration: number | null;
  /** `decision`: the same facts lead to another decision. `record`: a record is missing, damaged or changed. */
  readonly kind: 'decision' | 'record';
  /** Path of the differing value: `verdict.kind`, `iteration.json`. */
  readonly what: string;
  readonly recorded: unknown;
  readonly recomputed: unknown;
};

export type Checked = {
  readonly checked: readonly string[];
  /** Decisions that can't be compared, as their facts aren't on record. */
  readonly notRecorded: readonly string[];
  readonly differences: readonly Difference[];
};

export type Checks = Checked & {
  /** Compares a recorded decision with the one that follows from the facts. */
  readonly decision: (what: string, recorded: unknown, recomputed: unknown) => void;
  /** Compares two records of the same fact. */
  readonly record: (what: string, recorded: unknown, recomputed: unknown) => void;
  readonly missing: (what: string) => void;
};

export function openChecks(iteration: number | null): Checks {
  const checked: string[] = [];
  const notRecorded: string[] = [];
  const differences: Difference[] = [];
  const compare = (kind: Difference['kind']) => (what: string, recorded: unknown, recomputed: unknown) => {
    if (kind === 'decision') checked.push(what);
    // A record went through JSON, a recomputed value didn't.
    const json = (value: unknown) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
    for (const { path, one, other } of differencesBetween(json(recorded), json(recomputed), what)) {
      differences.push({ iteration, kind, what: path, recorded: one, recomputed: other });
    }
  };
  return {
    checked,
    notRecorded,
    differences,
    decision: compare('decision'),
    record: compare('record'),
    missing: (what) => {
      notRecorded.push(what);
    },
  };
}

/**
 * Returns the places where two JSON values differ, as deep as their shapes agree: `a.b`, `a[2].c`. The order of keys doesn't matter, and a
 * key with `undefined` equals a missing one.
 */
function differencesBetween(
  one: unknown,
  other: unknown,
  path: string,
): { readonly path: string; readonly one: unknown; readonly other: unknown }[] {
  if (Object.is(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, index) => differencesBetween(item, other[index], `${path}[${index}]`));
  }
  if (isObject(one) && isObject(other)) {
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differencesBetween(own(one, key), own(other, key), path === '' ? key : `${path}.${key}`),
    );
  }
  return [{ path, one, other }];
}
