import type { CycleChange, CycleFacts, CycleFinding } from '../../domain/policy.ts';

/** What became of the findings from one cycle to the next. */
export function changeBetween(before: CycleFacts | null, now: CycleFacts): CycleChange {
  const was = keysOf(before);
  const is = keysOf(now);
  return {
    resolved: [...was].filter((key) => !is.has(key)),
    open: [...was].filter((key) => is.has(key)),
    fresh: [...is].filter((key) => !was.has(key)),
  };
}

/** resolved ÷ (resolved + still open + new); `null`: a first cycle, or one without findings before and now. */
export function convergence(before: CycleFacts | null, now: CycleFacts): number | null {
  if (before === null) return null;
  const { resolved, open, fresh } = changeBetween(before, now);
  const all = resolved.length + open.length + fresh.length;
  return all === 0 ? null : resolved.length / all;
}

/** Whether two cycles found the same, and something at all. */
export function areEqual(before: CycleFacts, now: CycleFacts): boolean {
  const { resolved, open, fresh } = changeBetween(before, now);
  return open.length > 0 && resolved.length === 0 && fresh.length === 0;
}

/** Findings that were there, were gone, and are there again. */
export function oscillating(cycles: readonly CycleFacts[]): readonly CycleFinding[] {
  const seen = cycles.map(keysOf);
  const last = cycles.at(-1);
  if (last === undefined) return [];
  return distinct(last.findings).filter(({ key }) => {
    const gone = seen.findLastIndex((keys) => !keys.has(key));
    return seen.slice(0, Math.max(0, gone)).some((keys) => keys.has(key));
  });
}

/** The findings of a cycle, each key once. */
export function distinct(findings: readonly CycleFinding[]): readonly CycleFinding[] {
  return [...new Map(findings.map((one) => [one.key, one])).values()];
}

function keysOf(cycle: CycleFacts | null): ReadonlySet<string> {
  return new Set(cycle?.findings.map(({ key }) => key));
}
