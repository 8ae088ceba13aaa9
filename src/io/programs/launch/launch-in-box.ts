import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { OpenedBox } from '../../../domain/box/box.ts';
import type { Clock } from '../../../domain/ports.ts';
import { plainText } from '../../files/plain-file.ts';
import { start } from '../start/start-program.ts';
import { descendants, memoryMibOf, readProcess, readProcessTable } from '../table/process-table.ts';
import { asInBox, endWithRalph, type MainExit, sendSignal } from '../table/signals.ts';
import { MARKER, programTree } from '../table/tracked-tree.ts';
import type { FailedLaunch, Launch, LaunchRequest, TreeEnd } from './running.ts';
import { channelOf, startFailure, whenExited, whenStarted } from './start-command.ts';

/** How often it is checked whether the kernel has ended all in a box, and how long it may take. */
const LOOK_EVERY_MS = 1;
/** Most are over by then: so long it is checked without a pause. */
const SOON_MS = 3;
const END_LIMIT_MS = 5000;
/** The same for those in it that were asked to end. */
const ASKED_EVERY_MS = 20;
const MAX_STATUS = 65_536;
/** bubblewrap, and the first process of the box. */
const LAUNCHERS = 2;

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
): Promise<Launch> {
  const started = await startBox(opened, [path, ...args], request, marker);
  if (started.kind === 'failed') return started;
  const { pid, mainExit, sayWord } = started.box;
  const { statusFile } = opened;
  sayWord();
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
    kill: () => killBox(pid),
    tree: () => programTree(readProcessTable(), pid, LAUNCHERS),
    memoryMib: () => memoryMibOf(tree()),
  };
  return { kind: 'running', running };
}

/**
 * bubblewrap and, in its group, the first process of the box, with which the kernel ends all others. That one asks to end
 * with bubblewrap only when it is set up, and waits for bubblewrap before: alone it would stay.
 */
export function killBox(pid: number): void {
  sendSignal(-pid, 'SIGKILL');
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
    await (now < soon ? setImmediate() : clock.sleep(LOOK_EVERY_MS));
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

/** A box with a shell in it, in a session of its own, that becomes its program. It ends with ralph. */
type StartedBox = {
  readonly pid: number;
  readonly mainExit: Promise<MainExit>;
  /** Lets the program begin, at once or as soon as the shell asks. */
  readonly sayWord: () => void;
};

/**
 * bubblewrap asks the kernel to end with ralph before anything starts in the box, and doesn't notice when ralph is gone
 * by then. So the program waits for ralph's word; meanwhile the first process of the box asks for the same.
 */
const ONLY_BELOW_RALPH = '{ echo >&4 && read -r _ <&4; } 2>/dev/null || exit; exec "$@" 4>&-';

/**
 * Starts a box that holds its processes.
 *
 * @param argv Absolute path of the program, and its arguments.
 */
async function startBox(
  { program, args, front, serve, env, statusFile }: OpenedBox,
  argv: readonly string[],
  { cwd, stdin, stdout, stderr }: Pick<LaunchRequest, 'cwd' | 'stdin' | 'stdout' | 'stderr'>,
  marker: string,
): Promise<{ readonly kind: 'started'; readonly box: StartedBox } | FailedLaunch> {
  const status = openSync(statusFile, 'w', 0o600);
  const shell = ['/bin/sh', '-c', ONLY_BELOW_RALPH, 'sh', ...front, ...argv];
  let child: ChildProcess;
  try {
    child = start(program, [...args, '--unsetenv', MARKER, '--json-status-fd', '3', '--', ...shell], {
      argv0: 'bwrap',
      cwd,
      env: { ...env, [MARKER]: marker },
      stdio: [stdin ?? 'ignore', stdout, stderr, status, 'pipe', ...channelOf(serve)],
      detached: true,
    });
  } catch (error) {
    return startFailure(program, (error as NodeJS.ErrnoException).errno ?? 0);
  } finally {
    closeSync(status);
  }
  // Before anything is awaited: a short program may be over by then.
  const mainExit = whenExited(child).then(asInBox);
  const failure = await whenStarted(child);
  const { pid } = child;
  if (failure !== null || pid === undefined) return startFailure(program, failure?.errno ?? 0);
  endWithRalph(child);
  serve?.(child);
  const [asking] = child.stdio.filter((one) => one instanceof Socket);
  // Who is gone doesn't read any more: its end is noticed.
  asking?.on('error', () => undefined);
  const asked = new Promise<void>((resolve) => asking?.once('data', () => resolve()));
  // Nothing waits for a word of a box that was ended while it was made.
  child.once('exit', () => asking?.destroy());
  const sayWord = () => void asked.then(() => asking?.write('\n'));
  return { kind: 'started', box: { pid, mainExit, sayWord } };
}
