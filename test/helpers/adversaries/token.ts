import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Returns a word that no other process on the machine contains. */
export function uniqueToken(): string {
  return `adversary-${randomBytes(8).toString('hex')}`;
}

/** Returns living processes with this word in their command line (a zombie has none). */
export function carriersOf(token: string): number[] {
  return processesWith(token, 'cmdline');
}

/** Returns living processes that were started with this word in their environment. */
export function carriersOfEnvironment(token: string): number[] {
  return processesWith(token, 'environ');
}

function processesWith(token: string, file: 'cmdline' | 'environ'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readOf(pid, file).includes(token));
}

/** Returns a description of a living process for a message: its parent, state, age and command line. */
export function describeProcess(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,ppid=,stat=,etimes=,args=', '-p', String(pid)]);
  return stdout.toString().trim().slice(0, SHOWN);
}

/** Maximum number of characters of a process in a message. */
const SHOWN = 160;

/** Waits until the condition is true. @throws after `limitMs` milliseconds, with the text. */
export async function waitUntil(holds: () => boolean, what: string, limitMs = 120_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Ends the processes that a failed trial left on the machine. */
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
        // The process may have ended on its own.
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
