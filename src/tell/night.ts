import type { RunSummary } from '../domain/records/state.ts';

export type LastRead = { readonly from: string; readonly to: string };

/** Milliseconds before the end of the newest run that the first report covers. */
const A_DAY_MS = 24 * 60 * 60_000;

/** Returns whether a run ended an attempt or was killed. A run without an end was killed, unless it is active. */
export function didSomething({ run, iterations, ending }: RunSummary, active: string | null): boolean {
  return iterations > 0 || (ending === null && run !== active);
}

/**
 * Returns the runs since the last report that you read; without new runs, those of that report. Oldest first, without
 * runs that did nothing. Empty: there are none, or one run was requested.
 * @param active Id of the active run; `null`: none.
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
