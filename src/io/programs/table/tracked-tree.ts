import { readlinkSync } from 'node:fs';
import type { Clock } from '../../../domain/ports.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { sha256 } from '../../ids.ts';
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

/** The variable that every process of one supervised program starts with, unless something clears it. */
export const MARKER = 'RALPH_SUPERVISOR';

/** Looks and kills are repeated at this distance, and for so long at most. */
const KILL_PAUSE_MS = 2;
const KILL_LIMIT_MS = 5000;
/** A process that changes its number may slip through one look. */
const EMPTY_POLLS = 2;

/** A process tree as far as it can be followed from outside: by parentage, session, group and marker. */
export type TrackedTree = {
  /** The process that holds a box together; `null`: there is no box. */
  readonly box: number | null;
  /** Looks again; remembers all that was found. Gives the living members, the root included. */
  readonly living: () => readonly ProcessRow[];
  /** The same, and also searches all environments for the marker. */
  readonly livingAnywhere: () => readonly ProcessRow[];
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
    // The number of a session or group without members can be given to a stranger: it is forgotten.
    const all = [...found.values()];
    members = new Map(all.map((row) => [row.pid, row.started]));
    sessions = new Set(all.map((row) => row.session).filter((session) => session > 0));
    groups = new Set(all.map((row) => row.group));
    return all.filter((row) => !row.zombie);
  }

  return { box: isBoxed ? root : null, living: () => find(false), livingAnywhere: () => find(true) };
}

/**
 * Kills until nothing is left. Gives the number of those that could not be killed.
 *
 * @param emptyPolls how many looks have found nothing just before.
 */
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

/**
 * Finds the program in a table of processes: below `launchers` processes, the oldest child of each. What came later is
 * an orphan that a launcher has taken over.
 *
 * @param root the first launcher, or the program itself where there is none.
 */
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

/** Processor time of a program and all that it started, in milliseconds; `null` where the system does not say. */
export function wholeCpuMs({ program, others }: ProgramTree): number | null {
  return treeCpuMs(program === null ? others : [program, ...others]);
}

/**
 * Processor time of what an agent's tools run, in milliseconds; `null` where the system does not say. The agent's own
 * isn't work: it redraws, polls and reconnects while it waits for its model.
 *
 * @param toolSessions whether the agent starts each command in a session of its own, so that what shares its session is
 * the agent (its launcher's child, helpers, servers of tools). Else the program alone is the agent.
 */
export function toolCpuMs({ program, others }: ProgramTree, toolSessions: boolean): number | null {
  if (!toolSessions) {
    const work = treeCpuMs(others);
    // What the program has waited for were commands.
    return work === null || program?.cpuMs === null ? null : work + (program?.cpuMs.children ?? 0);
  }
  return treeCpuMs(others.filter(({ session }) => program === null || session !== program.session));
}

/** Beginning of all markers of one repository: a digest, so that no path shows in an agent's environment. */
function repositoryMark(root: string): string {
  return sha256(root).slice(0, 16);
}

/** Beginning of all markers of this ralph in one repository: `REPOSITORY.NAMESPACE.PID.START.`. */
export function ownerMark(root: string): string {
  return `${repositoryMark(root)}.${namespace()}.${process.pid}.${startOf(process.pid)}.`;
}

/**
 * Whether a marker is of that repository and the ralph that gave it is gone. A ralph in another container is not
 * judged: its number means another process here.
 */
export function isAbandoned(marker: string, root: string): boolean {
  const [repository, space, pid = '', started] = marker.split('.');
  if (repository !== repositoryMark(root) || space !== namespace()) return false;
  return /^\d+$/.test(pid) && startOf(Number(pid)) !== started;
}

/** Whether a marker is of a ralph of one of these work trees, active or gone, in whatever container. */
export function isMarkOf(marker: string, roots: readonly string[]): boolean {
  return roots.some((root) => marker.startsWith(`${repositoryMark(root)}.`));
}

/** Empty when there is no such process. */
function startOf(pid: number): string {
  const row = readProcess(pid);
  return row === null || row.zombie ? '' : Buffer.from(row.started).toString('hex');
}

/** Names the world that process numbers belong to; a word where there is only one. */
function namespace(): string {
  return tryOr('only', () => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'only');
}
