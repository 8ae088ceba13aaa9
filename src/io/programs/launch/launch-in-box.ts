import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { OpenedBox } from '../../../domain/box/box.ts';
import type { Clock } from '../../../domain/ports.ts';
import { plainText } from '../../files/plain-file.ts';
import { descendants, memoryMibOf, readProcess, readProcessTable } from '../table/process-table.ts';
import { sendSignal } from '../table/signals.ts';
import { MARKER, programTree } from '../table/tracked-tree.ts';
import type { FailedLaunch, LaunchRequest, Running, TreeEnd } from './running.ts';
import { startCommand } from './start-command.ts';

/** A box that takes longer to be made is followed as any other, and ended at its limit. */
const MADE_MS = 5000;
/** How often it is checked whether the kernel has ended all in a box, and how long it may take. */
const POLL_MS = 1;
/** Most are over by then: so long it is checked without a pause. */
const SOON_MS = 3;
const END_LIMIT_MS = 5000;
/** The same for those in it that were asked to end. */
const ASKED_EVERY_MS = 20;
const MAX_STATUS = 65_536;
/** bubblewrap, and the first process of the box. */
const LAUNCHERS = 2;

/** `unmade`: it ended by itself before anything ran in it. */
type LaunchInBox = { readonly kind: 'running' | 'unmade'; readonly running: Running } | FailedLaunch;

/**
 * Starts a program in a box that has processes of its own: the kernel ends all of them with the box, and the box with
 * ralph. So nothing has to be followed.
 *
 * @param path Of the program, absolute.
 */
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
  // Who is gone doesn't read any more: its end is noticed.
  asking?.on('error', () => undefined);
  const over = new AbortController();
  const asked = new Promise<'running'>((resolve) => {
    asking?.once('data', () => {
      asking.write('\n');
      resolve('running');
    });
  });
  // Nothing waits for a word of a box that was ended while it was made.
  child.once('exit', () => asking?.destroy());
  const tree = () => descendants(readProcessTable(), pid);
  const running = {
    mainExit,
    treeEnd: mainExit.then(() => whenEmpty(statusFile, clock)),
    terminate: () => {
      // Not to those that hold the box together: they would take all in it with them at once.
      const inner = initOf(statusFile);
      const asked = tree().filter((row) => row.pid !== inner);
      // A shell ends at once, and the box with it: it is asked when those that it waits for have had their time.
      const shell = args.at(-2) === '-c' ? asked.find(({ parent }) => parent === inner) : undefined;
      const others = asked.filter((row) => row !== shell);
      if (shell !== undefined && others.length > 0) sendSignal(shell.pid, 'SIGSTOP');
      for (const row of others) askToEnd(row.pid);
      if (shell !== undefined) void whenOver(others, clock).then(() => askToEnd(shell.pid));
    },
    // bubblewrap and, in its group, the first process of the box, with which the kernel ends all others. That one asks to
    // end with bubblewrap only when it is set up, and waits for bubblewrap before: alone it would stay.
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

/** The first process of the box dies last. */
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

/** One that the system's first process hasn't reaped yet is over, and all in the box before it. */
function isAlive(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}

/** Its number here; `null` where the box was never made. */
function initOf(statusFile: string): number | null {
  const [, pid] = /"child-pid": (\d+)/.exec(plainText(statusFile, MAX_STATUS) ?? '') ?? [];
  return pid === undefined ? null : Number(pid);
}

/**
 * bubblewrap asks the kernel to end with ralph before anything starts in the box, and doesn't notice when ralph is gone
 * by then. So the program waits for ralph's word; meanwhile the first process of the box asks for the same.
 */
const ONLY_BELOW_RALPH = '{ echo >&4 && read -r _ <&4; } 2>/dev/null || exit; exec "$@" 4>&-';
