import type { GateBaseline, GateResult } from '../domain/gate.ts';
import type { TestComparison } from '../domain/test-results.ts';
import { own } from '../lib/own.ts';

/** What gates reported of their tests beside the baseline; failing tests are told apart by name. */
export function compareResults(
  results: readonly GateResult[],
  baseline: GateBaseline | null,
): TestComparison[] {
  return results.flatMap(({ name, results: now }) => {
    if (now === null) return [];
    const before = baseline === null ? null : (own(baseline.results, name) ?? null);
    const known = new Set(before?.failing);
    return [
      {
        ...{ gate: name, now, before },
        newlyFailing: now.failing.filter((test) => !known.has(test)),
        failingBefore: now.failing.filter((test) => known.has(test)),
      },
    ];
  });
}
