import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { OpenedBox } from '../../../domain/box/box.ts';
import { start } from '../start/start-program.ts';
import type { MainExit } from '../table/signals.ts';
import { asInBox, endWithRalph } from '../table/signals.ts';
import { MARKER } from '../table/tracked-tree.ts';
import type { FailedLaunch, LaunchRequest } from './running.ts';
import { channelOf, whenExited, whenStarted } from './start-command.ts';
import { startFailure } from './start-failure.ts';

/** A box with a shell in it, in a session of its own, that becomes its program. It ends with ralph. */
export type StartedBox = {
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
export async function startBox(
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
