import type { Clock } from '../../../domain/ports.ts';
import type { ProcessRow } from './process-table.ts';
import { environmentHolds, readProcess, readProcessTable } from './process-table.ts';
import { sendSignal } from './signals.ts';

/** The variable that every process of one supervised program starts with, unless something clears it. */
export const MARKER = 'RALPH_SUPERVISOR';

/** Looks and kills are repeated at this distance, and for so long at most. */
const KILL_PAUSE_MS = 2;
const KILL_LIMIT_MS = 5000;
/** A process that changes its number may slip through one look. */
const EMPTY_LOOKS = 2;

/** A process tree as far as it can be followed from outside: by parentage, session, group and marker. */
export type TrackedTree = {
  /** The process that holds a box together; `null`: there is no box. */
  readonly box: number | null;
  /** Looks again; remembers all that was found. Gives the living members, the root included. */
  readonly look: () => readonly ProcessRow[];
  /** The same, and also searches all environments for the marker. */
  readonly lookEverywhere: () => readonly ProcessRow[];
};

/**
 * @param root a process that leads its own session and group.
 * @param marker the value of `MARKER` in its environment.
 */
export function trackTree(root: number, marker: string, isBoxed = false): TrackedTree {
  const entry = `${MARKER}=${marker}`;
  /** Number and start of every process that was ever found and was alive at the last look. */
  let members = new Map<number, string>();
  const first = readProcess(root);
  if (first !== null) members.set(root, first.started);
  let sessions = new Set([root]);
  let groups = new Set([root]);

  function look(everywhere: boolean): readonly ProcessRow[] {
    const rows = readProcessTable().filter((row) => row.pid !== process.pid);
    const known = members;
    const found = new Map<number, ProcessRow>();
    const belongs = (row: ProcessRow) =>
      known.get(row.pid) === row.started ||
      found.has(row.parent) ||
      sessions.has(row.session) ||
      groups.has(row.group);

    let candidates = rows;
    for (let grown = true; grown; ) {
      const joining = candidates.filter(belongs);
      grown = joining.length > 0;
      for (const row of joining) {
        found.set(row.pid, row);
        if (row.session > 0) sessions.add(row.session);
        groups.add(row.group);
      }
      candidates = candidates.filter((row) => !found.has(row.pid));
    }
    if (everywhere) {
      for (const row of candidates) if (environmentHolds(row.pid, entry)) found.set(row.pid, row);
    }
    // The number of a session or group without members can be given to a stranger: it is forgotten.
    const all = [...found.values()];
    members = new Map(all.map((row) => [row.pid, row.started]));
    sessions = new Set(all.map((row) => row.session).filter((session) => session > 0));
    groups = new Set(all.map((row) => row.group));
    return all.filter((row) => !row.zombie);
  }

  return { box: isBoxed ? root : null, look: () => look(false), lookEverywhere: () => look(true) };
}

/**
 * Kills until nothing is left. Gives the number of those that could not be killed.
 *
 * @param emptyLooks how many looks have found nothing just before.
 */
export async function killTree(tree: TrackedTree, clock: Clock, emptyLooks = 0): Promise<number> {
  let empty = emptyLooks;
  const end = clock.monotonicMs() + KILL_LIMIT_MS;
  do {
    const living = tree.lookEverywhere();
    for (const row of living) sendSignal(row.pid, 'SIGKILL');
    empty = living.length === 0 ? empty + 1 : 0;
    if (empty === EMPTY_LOOKS) return 0;
    await clock.sleep(KILL_PAUSE_MS);
  } while (clock.monotonicMs() < end);
  return tree.look().length;
}
