/** A mean and the half width of its 95 % interval; `half` is `null` of fewer than two values. */
export type Estimate = { readonly mean: number; readonly half: number | null; readonly n: number };

/** Two-sided 95 % quantiles of Student's t by degrees of freedom, from 1; beyond them the last. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const NORMAL = 1.96;

/** Mean and interval over seeds; values that don't exist are left out. `null` of none. */
export function estimate(values: readonly (number | null)[]): Estimate | null {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  if (n === 0) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, half: null, n };
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { mean, half: (T95[n - 2] ?? NORMAL) * Math.sqrt(variance / n), n };
}

/** What `other` has more than `one`, seed by seed: the same tasks and the same dice. */
export function difference(
  one: ReadonlyMap<number, number | null>,
  other: ReadonlyMap<number, number | null>,
): Estimate | null {
  return estimate(
    [...one].map(([seed, value]) => {
      const compared = other.get(seed) ?? null;
      return value === null || compared === null ? null : compared - value;
    }),
  );
}
