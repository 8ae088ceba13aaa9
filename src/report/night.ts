import type { RunSummary } from '../domain/records/state.ts';

/** The first and the last run of the report that you read last. */
export type LastRead = { readonly from: string; readonly to: string };

/** What the first report covers: so long before the end of the newest run. */
const A_DAY_MS = 24 * 60 * 60_000;

/** It ended an attempt, or was cut off: it has no end, and isn't the one that is active. */
export function didSomething({ run, iterations, ending }: RunSummary, active: string | null): boolean {
  return iterations > 0 || (ending === null && run !== active);
}

/**
 * Names of the runs that a report covers, oldest first, of those that did something: since the report that was read last, or
 * that one again where there are no newer ones. Empty: there are none, or one run was asked for.
 *
 * @param active The run that is active; `null`: none is.
 */
export function nightOf(
  runs: readonly RunSummary[],
  { run, since }: { readonly run: string | null; readonly since: Date | null },
  read: LastRead | null,
  active: string | null,
): readonly string[] {
  if (run !== null) return [];
  const worked = runs.filter((one) => didSomething(one, active));
  const names = (from: number) => worked.filter((one) => endOf(one) >= from).map((one) => one.run);
  if (since !== null) return names(since.getTime());
  const newest = worked.at(-1);
  if (newest === undefined) return [];
  const [from, to] = [read?.from, read?.to].map((name) => worked.findIndex((one) => one.run === name)) as [
    number,
    number,
  ];
  if (to < 0) return names(endOf(newest) - A_DAY_MS);
  const first = to < worked.length - 1 ? to + 1 : from;
  return worked.slice(first < 0 ? -1 : first).map((one) => one.run);
}

function endOf({ endedAt, activeAt }: RunSummary): number {
  return Date.parse(endedAt ?? activeAt);
}
