import { readlinkSync } from 'node:fs';
import {
  type ProcessRow,
  processesWith,
  readProcess,
  readProcessTable,
  tryRead,
} from 'ralph-kit/programs/table/process-table';
import { isMarkOf, MARKER } from 'ralph-kit/programs/table/tracked-tree';
import { tryOr } from 'ralph-kit/try-or';
import type { Ancestor } from '../../domain/ports.ts';

/** Kernel names of programs that adopt orphaned processes, like process 1. */
const ADOPTERS =
  /^(?:systemd|init|launchd|tini|dumb-init|docker-init|catatonit|bwrap|runit|s6-svscan|ralph-superviso)$/;
/** Limit of a chain: a table read while numbers are reused may have a circle. */
const LONGEST_CHAIN = 1000;

export function ancestry(roots: readonly string[], pid = ownPid()): Ancestor[] {
  const linux = process.platform === 'linux';
  // Other systems need a program for each look, so one look serves all.
  const table = linux ? null : new Map(readProcessTable().map((row) => [row.pid, row]));
  const marks = linux ? null : processesWith(MARKER);
  const markOf = (at: number) => (marks === null ? environmentOf(at).get(MARKER) : marks.get(at));
  const chain: Ancestor[] = [];
  let row = table === null ? readProcess(pid) : table.get(pid);
  while (row && chain.length < LONGEST_CHAIN) {
    const mark = markOf(row.pid);
    chain.push({
      pid: row.pid,
      parent: row.parent,
      startedAt: startOf(row),
      session: row.session,
      adopts:
        row.pid === 1 || ADOPTERS.test(tryRead(`/proc/${row.pid}/comm`)?.toString('latin1').trimEnd() ?? ''),
      marked: mark !== undefined && isMarkOf(mark, roots),
    });
    row = table === null ? readProcess(row.parent) : table.get(row.parent);
  }
  return chain;
}

/** A process in its own namespace has another number than in the table. */
function ownPid(): number {
  if (process.platform !== 'linux') return process.pid;
  return tryOr(process.pid, () => Number(readlinkSync('/proc/self')));
}

/** Returns a process's start on one scale: ticks since boot, or the date of `ps`; `null` when it is gone. */
export function processStart(pid: number): number | null {
  const row = readProcess(pid);
  return row === null ? null : startOf(row);
}

function startOf({ started }: ProcessRow): number {
  return /^\d+$/.test(started) ? Number(started) : Date.parse(started);
}

/** Returns the initial environment of one of your processes; empty when unknown. */
export function environmentOf(pid: number): ReadonlyMap<string, string> {
  const entries = tryRead(`/proc/${pid}/environ`)?.toString('utf8').split('\0') ?? [];
  return new Map(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
