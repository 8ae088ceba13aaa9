import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from 'ralph-kit/clock';
import { plainText } from 'ralph-kit/files/plain-file';
import {
  descendants,
  memoryMibOf,
  readProcess,
  readProcessTable,
} from 'ralph-kit/programs/table/process-table';
import { sendSignal } from 'ralph-kit/programs/table/signals';
import { MARKER, programTree } from 'ralph-kit/programs/table/tracked-tree';
import type { OpenedBox } from '../protocol/index.ts';
import type { FailedLaunch, LaunchRequest, Running, TreeEnd } from './running.ts';
import { startCommand } from './start-command.ts';

/** A box that takes longer to make is followed like any other and ended at its limit; in milliseconds. */
const MADE_MS = 5000;
/** Interval and limit of waiting until the kernel has ended everything in a box, in milliseconds. */
const POLL_MS = 1;
/** Milliseconds within which most boxes end: until then the end is checked for without a pause. */
const SOON_MS = 3;
const END_LIMIT_MS = 5000;
/** Interval of checks on processes that were asked to end, in milliseconds. */
const ASKED_EVERY_MS = 20;
const MAX_STATUS = 65_536;
/** bubblewrap and the box's first process. */
const LAUNCHERS = 2;

/** How the start of a program in a box went; `unmade`: the box ended before anything ran in it. */
type LaunchInBox = { readonly kind: 'running' | 'unmade'; readonly running: Running } | FailedLaunch;

/** The kernel ends all processes with the box, and the box with ralph. @param path Absolute path of the program. */
export async function launchInBox(
  { argv: [, ...args], ...request }: Omit<LaunchRequest, 'box'>,
  path: string,
  opened: OpenedBox,
  marker: string,
  clock: Clock,
): Promise<LaunchInBox> {
  const { program, front, serve, env, statusFile } = opened;
  const shell = ['/bin/sh', '-c', ONLY_BELOW_RALPH, 'sh', ...front, path, ...args];
  const options = ['--unsetenv', MARKER, '--json-status-fd', '3', '--'];
  const argv = ['bwrap', ...opened.args, ...options, ...shell] as const;
  const command = { ...request, argv, env, path: program, statusFile, serve };
  const started = await startCommand(command, marker, ['pipe']);
  if (started.kind === 'failed') return started;
  const { child, pid, mainExit } = started;
  const [asking] = child.stdio.filter((one) => one instanceof Socket);
  // A program that is gone doesn't read; its end is noticed elsewhere.
  asking?.on('error', () => undefined);
  const over = new AbortController();
  const asked = new Promise<'running'>((resolve) => {
    asking?.once('data', () => {
      asking.write('\n');
      resolve('running');
    });
  });
  // A box may be ended before it asks.
  child.once('exit', () => asking?.destroy());
  const tree = () => descendants(readProcessTable(), pid);
  const running = {
    mainExit,
    treeEnd: mainExit.then(() => whenEmpty(statusFile, clock)),
    terminate: () => {
      // Ending the processes that hold the box together would end everything in it at once.
      const inner = initOf(statusFile);
      const asked = tree().filter((row) => row.pid !== inner);
      // A shell would end the box at once, so it is asked after its children had their time.
      const shell = args.at(-2) === '-c' ? asked.find(({ parent }) => parent === inner) : undefined;
      const others = asked.filter((row) => row !== shell);
      if (shell !== undefined && others.length > 0) sendSignal(shell.pid, 'SIGSTOP');
      for (const row of others) askToEnd(row.pid);
      if (shell !== undefined) void whenOver(others, clock).then(() => askToEnd(shell.pid));
    },
    // The box's first process waits for bubblewrap before its setup and would outlive it; their group ends both.
    kill: () => sendSignal(-pid, 'SIGKILL'),
    tree: () => programTree(readProcessTable(), pid, LAUNCHERS),
    memoryMib: () => memoryMibOf(tree()),
  };
  const unmade = mainExit.then(({ kind }) => (kind === 'exited' ? 'unmade' : 'running'));
  const late = clock.sleep(MADE_MS, over.signal).then(() => 'running' as const);
  const kind = await Promise.race([asked, unmade, late]);
  over.abort();
  return { kind, running };
}

function askToEnd(pid: number): void {
  sendSignal(pid, 'SIGTERM');
  sendSignal(pid, 'SIGCONT');
}

async function whenOver(rows: readonly { readonly pid: number }[], clock: Clock): Promise<void> {
  while (rows.some(({ pid }) => isAlive(pid))) await clock.sleep(ASKED_EVERY_MS);
}

/** The box's first process dies last. */
async function whenEmpty(statusFile: string, clock: Clock): Promise<TreeEnd> {
  const init = initOf(statusFile);
  const begin = clock.monotonicMs();
  const [soon, end] = [begin + SOON_MS, begin + END_LIMIT_MS];
  while (init !== null && isAlive(init)) {
    const now = clock.monotonicMs();
    if (now > end) return { leftBehind: 0, survivors: 1 };
    await (now < soon ? setImmediate() : clock.sleep(POLL_MS));
  }
  return { leftBehind: 0, survivors: 0 };
}

/** A zombie of the first process means that everything in the box has ended. */
function isAlive(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}

/** Returns the first process's id outside the box; `null` when the box was never made. */
function initOf(statusFile: string): number | null {
  const [, pid] = /"child-pid": (\d+)/.exec(plainText(statusFile, MAX_STATUS) ?? '') ?? [];
  return pid === undefined ? null : Number(pid);
}

/**
 * bubblewrap doesn't notice when ralph is gone before it asks the kernel to end with ralph. So the program waits for
 * ralph's answer, by which time the first process has asked for the same.
 */
const ONLY_BELOW_RALPH = '{ echo >&4 && read -r _ <&4; } 2>/dev/null || exit; exec "$@" 4>&-';
