import { readlinkSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import { sha256 } from '../../files/sha256.ts';
import { tryOr } from '../../try-or.ts';
import {
  descendants,
  environmentHolds,
  type ProcessRow,
  type ProgramTree,
  readProcess,
  readProcessTable,
  treeCpuMs,
} from './process-table.ts';
import { sendSignal } from './signals.ts';

/** Environment variable of every process of a supervised program, unless something clears it. */
export const MARKER = 'RALPH_SUPERVISOR';

/** Interval and limit of repeated kills, in milliseconds. */
const KILL_PAUSE_MS = 2;
const KILL_LIMIT_MS = 5000;
/** Number of empty checks needed: a process that changes its number may be missed once. */
const EMPTY_POLLS = 2;

/** Process tree followed from outside, by parent, session, group and marker. */
export type TrackedTree = {
  /** Process that holds a box together; `null` without a box. */
  readonly box: number | null;
  /** Returns the living members including the root, and remembers all found. */
  readonly living: () => readonly ProcessRow[];
  /** Returns the living members, also those that left the tree, by searching all environments for the marker. */
  readonly livingAnywhere: () => readonly ProcessRow[];
};

/** Tracks a process that leads its own session and group. @param marker Value of `MARKER` in its environment. */
export function trackTree(root: number, marker: string, isBoxed = false): TrackedTree {
  const entry = `${MARKER}=${marker}`;
  /** Pid and start time of every member alive at the last check. */
  let members = new Map<number, string>();
  const first = readProcess(root);
  if (first !== null) members.set(root, first.started);
  let sessions = new Set([root]);
  let groups = new Set([root]);

  function find(everywhere: boolean): readonly ProcessRow[] {
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
    // Numbers of empty sessions and groups may be reused by other programs.
    const all = [...found.values()];
    members = new Map(all.map((row) => [row.pid, row.started]));
    sessions = new Set(all.map((row) => row.session).filter((session) => session > 0));
    groups = new Set(all.map((row) => row.group));
    return all.filter((row) => !row.zombie);
  }

  return { box: isBoxed ? root : null, living: () => find(false), livingAnywhere: () => find(true) };
}

/** Returns the number of survivors. @param emptyPolls Number of preceding checks that found nothing. */
export async function killTree(tree: TrackedTree, clock: Clock, emptyPolls = 0): Promise<number> {
  let empty = emptyPolls;
  const end = clock.monotonicMs() + KILL_LIMIT_MS;
  do {
    const living = tree.livingAnywhere();
    for (const row of living) sendSignal(row.pid, 'SIGKILL');
    empty = living.length === 0 ? empty + 1 : 0;
    if (empty === EMPTY_POLLS) return 0;
    await clock.sleep(KILL_PAUSE_MS);
  } while (clock.monotonicMs() < end);
  return tree.living().length;
}

/** Follows the oldest child, as younger ones are adopted orphans. @param root First launcher, or the program. */
export function programTree(rows: readonly ProcessRow[], root: number, launchers: number): ProgramTree {
  const inFront = new Set<number>();
  let program = rows.find((row) => row.pid === root) ?? null;
  for (let depth = 0; depth < launchers && program !== null; depth += 1) {
    inFront.add(program.pid);
    program = oldestChild(rows, program.pid);
  }
  const others = descendants(rows, root).filter((row) => row !== program && !inFront.has(row.pid));
  return { program, others };
}

function oldestChild(rows: readonly ProcessRow[], parent: number): ProcessRow | null {
  const children = rows.filter((row) => row.parent === parent);
  return children.sort((a, b) => Number(a.started) - Number(b.started) || a.pid - b.pid)[0] ?? null;
}

export function wholeCpuMs({ program, others }: ProgramTree): number | null {
  return treeCpuMs(program === null ? others : [program, ...others]);
}

/**
 * Returns processor time of an agent's tools in milliseconds; `null` when unknown. The agent's own time isn't work:
 * it redraws, polls and reconnects while waiting for its model.
 * @param toolSessions Whether each command has its own session, so that everything in the agent's session (launcher's
 * child, helpers, tool servers) is the agent.
 */
export function toolCpuMs({ program, others }: ProgramTree, toolSessions: boolean): number | null {
  if (!toolSessions) {
    const work = treeCpuMs(others);
    // Children that the program waited for were commands.
    return work === null || program?.cpuMs === null ? null : work + (program?.cpuMs.children ?? 0);
  }
  return treeCpuMs(others.filter(({ session }) => program === null || session !== program.session));
}

/** Returns the prefix of a repository's markers: a digest, so that agents see no path. */
function repositoryMark(root: string): string {
  return sha256(root).slice(0, 16);
}

/** Returns this ralph's marker prefix: `REPOSITORY.NAMESPACE.PID.START.`. */
export function ownerMark(root: string): string {
  return `${repositoryMark(root)}.${namespace()}.${process.pid}.${startOf(process.pid)}.`;
}

/** Whether the marker's ralph is gone; false for one in another container, where its pid differs. */
export function isAbandoned(marker: string, root: string): boolean {
  const [repository, space, pid = '', started] = marker.split('.');
  if (repository !== repositoryMark(root) || space !== namespace()) return false;
  return /^\d+$/.test(pid) && startOf(Number(pid)) !== started;
}

/** Whether a ralph of one of these work trees gave a marker, in any container. */
export function isMarkOf(marker: string, roots: readonly string[]): boolean {
  return roots.some((root) => marker.startsWith(`${repositoryMark(root)}.`));
}

function startOf(pid: number): string {
  const row = readProcess(pid);
  return row === null || row.zombie ? '' : Buffer.from(row.started).toString('hex');
}

/** Returns the pid namespace; a fixed word when there is only one. */
function namespace(): string {
  return tryOr('only', () => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'only');
}
