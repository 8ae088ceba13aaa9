import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tryOr } from '../../try-or.ts';
import { startSync } from '../start/start-program.ts';

/** Linux reports processor time in hundredths of a second on every architecture. */
const TICK_MS = 10;

export function readProcessTable(platform: NodeJS.Platform = process.platform): ProcessRow[] {
  return platform === 'linux'
    ? listProc()
        .filter((name) => /^\d+$/.test(name))
        .map((name) => readStat(Number(name)))
        .filter((row) => row !== null)
    : readPs();
}

/** Returns one process; `null` when it is gone. */
export function readProcess(pid: number): ProcessRow | null {
  if (process.platform === 'linux') return readStat(pid);
  return readPs().find((row) => row.pid === pid) ?? null;
}

function readStat(pid: number): ProcessRow | null {
  const text = tryRead(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text.toString('latin1'));
}

/** A container may lack `/proc`. */
function listProc(): string[] {
  return tryOr([], () => readdirSync('/proc'));
}

/** Parses `/proc/PID/stat`; `null` for other text. The name may contain blanks and parentheses. */
export function parseStat(text: string): ProcessRow | null {
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  const pid = Number.parseInt(text, 10);
  if (nameEnd < 0 || fields.length < 20 || Number.isNaN(pid)) return null;
  const ticks = (index: number) => Number(fields[index]) * TICK_MS;
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    started: fields[19] ?? '',
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    cpuMs: { own: ticks(11) + ticks(12), children: ticks(13) + ticks(14) },
  };
}

function readPs(): ProcessRow[] {
  const ps = startSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  return parsePs(ps.stdout ?? '');
}

/** Parses `ps -axo pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(text: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (match === null) continue;
    const [, pid, parent, group, state = '', started = ''] = match;
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      started,
      zombie: state.startsWith('Z'),
      cpuMs: null,
    });
  }
  return rows;
}

/** Whether a process's initial environment contains a text; false when unknown. */
export function environmentHolds(pid: number, text: string): boolean {
  return tryRead(`/proc/${pid}/environ`)?.includes(text) ?? false;
}

export function processesWith(variable: string): Map<number, string> {
  if (process.platform !== 'linux') {
    const env = { ...process.env, LC_ALL: 'C' };
    const args = ['eww', '-U', String(process.getuid?.()), '-o', 'pid=,command='];
    return parsePsEnvironment(startSync('ps', args, { env }).stdout ?? '', variable);
  }
  const found = new Map<number, string>();
  const entry = new RegExp(`(?:^|\\0)${variable}=([^\\0]*)`);
  for (const name of listProc()) {
    if (!/^\d+$/.test(name)) continue;
    const value = entry.exec(tryRead(`/proc/${name}/environ`)?.toString('latin1') ?? '')?.[1];
    if (value !== undefined && isOwn(`/proc/${name}`)) found.set(Number(name), value);
  }
  return found;
}

/** Root can read every user's environment. */
function isOwn(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Parses `ps eww -o pid=,command=`, which prints the environment after the command. */
export function parsePsEnvironment(text: string, variable: string): Map<number, string> {
  const line = new RegExp(`^\\s*(\\d+)\\s.*\\s${variable}=(\\S*)`);
  const matches = text.split('\n').map((row) => line.exec(row));
  return new Map(matches.flatMap((match) => (match === null ? [] : [[Number(match[1]), match[2] ?? '']])));
}

/** Returns an empty text when the command line is unknown. */
export function commandOf(pid: number): string {
  if (process.platform === 'linux') {
    return (tryRead(`/proc/${pid}/cmdline`)?.toString() ?? '').replaceAll('\0', ' ').trim();
  }
  return (startSync('ps', ['-o', 'command=', '-p', String(pid)], {}).stdout ?? '').trim();
}

/** Returns processor time of processes and the children they waited for, in milliseconds; `null` when unknown. */
export function treeCpuMs(rows: readonly ProcessRow[]): number | null {
  let sum = 0;
  for (const { cpuMs } of rows) {
    if (cpuMs === null) return null;
    sum += cpuMs.own + cpuMs.children;
  }
  return sum;
}

export function descendants(rows: readonly ProcessRow[], root: number): ProcessRow[] {
  const found = new Set<ProcessRow>();
  let parents = new Set([root]);
  while (parents.size > 0) {
    // A table read while numbers are reused may have a circle, so nothing is visited twice.
    const next = rows.filter((row) => parents.has(row.parent) && !found.has(row));
    for (const row of next) found.add(row);
    parents = new Set(next.map((row) => row.pid));
  }
  return [...found];
}

/** Returns `null` for a missing file: processes may end while they are checked. */
export function tryRead(path: string): Buffer | null {
  return tryOr(null, () => readFileSync(path));
}

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Session id; 0 when unknown. */
  readonly session: number;
  /** Start time in the system's own format; with the pid it identifies a process. */
  readonly started: string;
  readonly zombie: boolean;
  /** Processor time of the process and of children it waited for, in milliseconds; `null` when unknown. */
  readonly cpuMs: { readonly own: number; readonly children: number } | null;
};

export type ProgramTree = {
  /** The tree's first process; `null` when it is gone. */
  readonly program: ProcessRow | null;
  /** Other processes of the tree, including orphans. */
  readonly others: readonly ProcessRow[];
};

const KIB_PER_MIB = 1024;

/**
 * Returns the processes' resident memory in MiB; `null` when unknown or none is left. Linux counts proportional
 * shares (Pss), so that shared pages count once, or resident memory if that is unreadable. Reading Pss walks the page
 * tables (measured: 1.6 ms for 35 MiB, 3.5 ms for 200 MiB, 12 ms for 1 GiB). Elsewhere `ps` counts shared pages in
 * each process.
 */
export function memoryMibOf(rows: readonly ProcessRow[]): number | null {
  const pids = rows.filter(({ zombie }) => !zombie).map(({ pid }) => pid);
  if (pids.length === 0) return null;
  const kib =
    process.platform === 'linux'
      ? pids.map(residentKib)
      : parsePsMemory(startSync('ps', ['-o', 'rss=', '-p', pids.join(',')], {}).stdout ?? '');
  const known = kib.filter((each) => each !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, each) => sum + each, 0) / KIB_PER_MIB;
}

function residentKib(pid: number): number | null {
  return kibOf('Pss', tryRead(`/proc/${pid}/smaps_rollup`)) ?? kibOf('VmRSS', tryRead(`/proc/${pid}/status`));
}

/** Parses a line such as `Pss:     1234 kB`. */
function kibOf(name: string, text: Buffer | null): number | null {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text?.toString('latin1') ?? '');
  return match === null ? null : Number(match[1]);
}

/** Parses `ps -o rss=`: one line per process, in KiB. */
export function parsePsMemory(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}
