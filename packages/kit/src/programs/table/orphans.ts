import type { Clock } from '../../clock.ts';
import { cleanText } from '../output/read-tail.ts';
import type { ProcessRow } from './process-table.ts';
import { commandOf, descendants, processesWith, readProcess, readProcessTable } from './process-table.ts';
import { sendSignal } from './signals.ts';
import { isAbandoned, MARKER } from './tracked-tree.ts';

/** A process of an agent or gate whose ralph is gone. */
export type Orphan = {
  readonly pid: number;
  /** Start time in the system's own format; with the pid it identifies a process. */
  readonly started: string;
  readonly command: string;
};

export type Reaped = {
  readonly orphans: readonly Orphan[];
  readonly survivors: readonly Orphan[];
};

/** Milliseconds from SIGTERM to SIGKILL, and from there to the end of tries. */
const GRACE_MS = 5000;
const KILL_LIMIT_MS = 5000;
const POLL_MS = 10;
const COMMAND_LENGTH = 80;

/**
 * Finds processes left by a killed ralph of this repository: this user's, by the marker in their environment, with
 * their descendants. Excludes this process with its ancestors (ralph may run in such a shell) and children. Changes
 * nothing.
 */
export function findOrphans(root: string): readonly Orphan[] {
  return abandoned(root, []).map(toOrphan);
}

/** Ends the processes of `findOrphans`: SIGTERM, then SIGKILL until nothing is left. */
export async function reapOrphans(root: string, clock: Clock): Promise<Reaped> {
  const found = new Map<string, Orphan>();
  let known: readonly ProcessRow[] = [];
  const again = () => {
    known = abandoned(root, known);
    for (const row of known) if (!found.has(key(row))) found.set(key(row), toOrphan(row));
    return known;
  };
  const asked = new Set<string>();
  const killFrom = clock.monotonicMs() + GRACE_MS;
  while (again().length > 0 && clock.monotonicMs() < killFrom + KILL_LIMIT_MS) {
    const kill = clock.monotonicMs() >= killFrom;
    for (const row of known) {
      if (!kill && asked.has(key(row))) continue;
      asked.add(key(row));
      // Another process may have the number by now.
      if (readProcess(row.pid)?.started !== row.started) continue;
      sendSignal(row.pid, kill ? 'SIGKILL' : 'SIGTERM');
      if (!kill) sendSignal(row.pid, 'SIGCONT');
    }
    await clock.sleep(POLL_MS);
  }
  return { orphans: [...found.values()], survivors: known.map(toOrphan) };
}

function abandoned(root: string, known: readonly ProcessRow[]): readonly ProcessRow[] {
  const marked = [...processesWith(MARKER)].filter(([, marker]) => isAbandoned(marker, root));
  if (marked.length === 0 && known.length === 0) return [];
  const pids = new Set(marked.map(([pid]) => pid));
  const names = new Set(known.map(key));
  const rows = readProcessTable();
  const seeds = rows.filter((row) => names.has(key(row)) || pids.has(row.pid));
  const spared = ownFamily(rows);
  const family = new Set(seeds.flatMap((seed) => [seed, ...descendants(rows, seed.pid)]));
  return [...family].filter((row) => !row.zombie && !spared.has(row.pid));
}

function ownFamily(rows: readonly ProcessRow[]): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const family = new Set(descendants(rows, process.pid).map((row) => row.pid));
  let pid: number | undefined = process.pid;
  while (pid !== undefined && !family.has(pid)) {
    family.add(pid);
    pid = parents.get(pid);
  }
  return family;
}

function key(row: ProcessRow): string {
  return `${row.pid} ${row.started}`;
}

function toOrphan({ pid, started }: ProcessRow): Orphan {
  const command = cleanText(commandOf(pid)).replaceAll(/\s+/g, ' ');
  const cut = command.length > COMMAND_LENGTH ? `${command.slice(0, COMMAND_LENGTH)}…` : command;
  return { pid, started, command: cut };
}
