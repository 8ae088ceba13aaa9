import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A word that no other process on the machine carries. */
export function uniqueToken(): string {
  return `adversary-${randomBytes(8).toString('hex')}`;
}

/** Living processes with this word in their command line (a zombie has none). */
export function carriersOf(token: string): number[] {
  return processesWith(token, 'cmdline');
}

/** Living processes that were started with this word in their environment. */
export function carriersOfEnvironment(token: string): number[] {
  return processesWith(token, 'environ');
}

function processesWith(token: string, file: 'cmdline' | 'environ'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readOf(pid, file).includes(token));
}

/** What a living process is, for a message: its parent, state, age and command line. */
export function describeProcess(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,ppid=,stat=,etimes=,args=', '-p', String(pid)]);
  return stdout.toString().trim().slice(0, SHOWN);
}

/** Characters of a process that are shown. */
const SHOWN = 160;

/** Looks until the condition holds. @throws after `limitMs`, with the text. */
export async function waitUntil(holds: () => boolean, what: string, limitMs = 15_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Ends what a failed trial left, so that it does not stay on the machine. */
export function killCarriersOf(token: string): void {
  killAll(() => carriersOf(token));
}

export function killCarriersOfEnvironment(token: string): void {
  killAll(() => carriersOfEnvironment(token));
}

function killAll(find: () => number[]): void {
  for (let round = 0; round < 500; round += 1) {
    const alive = find();
    if (alive.length === 0) return;
    for (const pid of alive) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended on its own.
      }
    }
  }
}

function readOf(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
