import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Signal 9 in the masks of `/proc/PID/status`. */
const SIGKILL_BIT = 1n << 8n;

/** The variable that everything started by a bench has in its environment, unless something clears it. */
export const BENCH_VARIABLE = 'AGENT_TEST_BENCH';

/**
 * Command lines of the processes that a bench left alive: found by their environment, by their folder and by their
 * arguments. `null` where the system does not tell.
 */
export function leftAlive(scratch: string): readonly string[] | null {
  if (process.platform !== 'linux') return null;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => belongs(pid, scratch))
    .map(
      (pid) =>
        `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ').trim()} (${read(pid, 'stat')
          .replace(/^.*\) /, '')
          .slice(0, 20)} in ${folderOf(pid)})`,
    );
}

/** Ends what `leftAlive` finds, so that a failing test leaves nothing to the next one. */
export function endLeftovers(scratch: string): void {
  for (const line of leftAlive(scratch) ?? []) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It ended on its own.
    }
  }
}

function belongs(pid: string, scratch: string): boolean {
  // A process that has ended and was not waited for has no command line.
  const command = read(pid, 'cmdline');
  if (command === '' || isKilled(pid)) return false;
  const mark = read(pid, 'environ')
    .split('\0')
    .find((variable) => variable.startsWith(`${BENCH_VARIABLE}=`));
  // The box of another bench names this one's folder among those that it hides.
  if (mark !== undefined) return mark === `${BENCH_VARIABLE}=${scratch}`;
  return command.includes(scratch) || folderOf(pid).startsWith(scratch);
}

/** Whether it has been killed and the system hasn't ended it yet. */
function isKilled(pid: string): boolean {
  const pending = [...read(pid, 'status').matchAll(/^(?:Sig|Shd)Pnd:\s*([0-9a-f]+)$/gm)];
  return pending.some(([, mask]) => (BigInt(`0x${mask}`) & SIGKILL_BIT) !== 0n);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
