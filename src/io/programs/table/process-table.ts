import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tryOr } from '../../../lib/try-or.ts';
import { startSync } from '../start/start-program.ts';

/** Linux counts processor time for programs in hundredths of a second on every architecture. */
const TICK_MS = 10;

/** All processes that this user can see now. */
export function readProcessTable(platform: NodeJS.Platform = process.platform): ProcessRow[] {
  return platform === 'linux'
    ? listProc()
        .filter((name) => /^\d+$/.test(name))
        .map((name) => readStat(Number(name)))
        .filter((row) => row !== null)
    : readPs();
}

/** One process; `null` when it is gone. */
export function readProcess(pid: number): ProcessRow | null {
  if (process.platform === 'linux') return readStat(pid);
  return readPs().find((row) => row.pid === pid) ?? null;
}

function readStat(pid: number): ProcessRow | null {
  const text = readQuietly(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text.toString('latin1'));
}

/** A container may come without `/proc`: then nothing is seen. */
function listProc(): string[] {
  return tryOr([], () => readdirSync('/proc'));
}

/** One line of `/proc/PID/stat`; `null` when it is not one. The name in it may hold blanks and parentheses. */
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

/** Output of `ps -axo pid=,ppid=,pgid=,stat=,lstart=`. */
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

/** Whether a process was started with this text in its environment; `false` where the system does not say. */
export function environmentHolds(pid: number, text: string): boolean {
  return readQuietly(`/proc/${pid}/environ`)?.includes(text) ?? false;
}

/**
 * The processes that were started with this variable in their environment, with its value: those of this user, as
 * far as the system shows.
 */
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
    const value = entry.exec(readQuietly(`/proc/${name}/environ`)?.toString('latin1') ?? '')?.[1];
    if (value !== undefined && isOwn(`/proc/${name}`)) found.set(Number(name), value);
  }
  return found;
}

/** Root can read the environment of everybody. */
function isOwn(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Output of `ps eww -o pid=,command=`: the environment follows the command, with blanks between. */
export function parsePsEnvironment(text: string, variable: string): Map<number, string> {
  const line = new RegExp(`^\\s*(\\d+)\\s.*\\s${variable}=(\\S*)`);
  const matches = text.split('\n').map((row) => line.exec(row));
  return new Map(matches.flatMap((match) => (match === null ? [] : [[Number(match[1]), match[2] ?? '']])));
}

/** How a process was called, for the user; empty where it cannot be seen. */
export function commandOf(pid: number): string {
  if (process.platform === 'linux') {
    return (readQuietly(`/proc/${pid}/cmdline`)?.toString() ?? '').replaceAll('\0', ' ').trim();
  }
  return (startSync('ps', ['-o', 'command=', '-p', String(pid)], {}).stdout ?? '').trim();
}

/** Processor time of these processes and of all they have waited for; `null` where the system does not say. */
export function treeCpuMs(rows: readonly ProcessRow[]): number | null {
  let sum = 0;
  for (const { cpuMs } of rows) {
    if (cpuMs === null) return null;
    sum += cpuMs.own + cpuMs.children;
  }
  return sum;
}

/** All that descends from a process, without itself. */
export function descendants(rows: readonly ProcessRow[], root: number): ProcessRow[] {
  const found = new Set<ProcessRow>();
  let parents = new Set([root]);
  while (parents.size > 0) {
    // A table read while numbers are given out anew may hold a circle: nothing is visited twice.
    const next = rows.filter((row) => parents.has(row.parent) && !found.has(row));
    for (const row of next) found.add(row);
    parents = new Set(next.map((row) => row.pid));
  }
  return [...found];
}

/** Processes come and go while they are checked: one that is gone isn't an error. */
export function readQuietly(path: string): Buffer | null {
  return tryOr(null, () => readFileSync(path));
}

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not say. */
  readonly session: number;
  /** When it started, in the system's own words: together with the number it names one process. */
  readonly started: string;
  readonly zombie: boolean;
  /** Own processor time and that of children it has waited for; `null` where the system does not say. */
  readonly cpuMs: { readonly own: number; readonly children: number } | null;
};

/** A running program without what ralph put in front of it (supervisor, bubblewrap). */
export type ProgramTree = {
  /** The process that the program was started as; `null`: it is gone. */
  readonly program: ProcessRow | null;
  /** All else that runs with it, those that lost their parent included. */
  readonly others: readonly ProcessRow[];
};

const KIB_PER_MIB = 1024;

/**
 * Resident memory of these processes together, in MiB; `null` where the system does not say or none is left.
 *
 * On Linux each counts with its proportional share (Pss), so that pages which a process shares with its forks count
 * once; where that may not be read, with all that it has resident. Reading the share costs the kernel a walk over the
 * page tables (measured: 1.6 ms for a process of 35 MiB, 3.5 ms for 200 MiB, 12 ms for 1 GiB). Elsewhere it is the
 * resident size as `ps` gives it, shared pages counted in each process.
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
  return (
    kibOf('Pss', readQuietly(`/proc/${pid}/smaps_rollup`)) ??
    kibOf('VmRSS', readQuietly(`/proc/${pid}/status`))
  );
}

/** A line such as `Pss:     1234 kB`. */
function kibOf(name: string, text: Buffer | null): number | null {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text?.toString('latin1') ?? '');
  return match === null ? null : Number(match[1]);
}

/** Output of `ps -o rss=`: KiB, a line for each process. */
export function parsePsMemory(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}
