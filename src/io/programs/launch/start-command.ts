import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import type { OpenedBox } from '../../../domain/box/box.ts';
import { start } from '../start/start-program.ts';
import { endWithRalph, type MainExit } from '../table/signals.ts';
import { MARKER } from '../table/tracked-tree.ts';
import type { Command, FailedLaunch } from './running.ts';

type Started =
  | {
      readonly kind: 'started';
      readonly child: ChildProcess;
      readonly pid: number;
      readonly mainExit: Promise<MainExit>;
    }
  | FailedLaunch;

/**
 * Starts a program, or a box, in a session of its own. It ends with ralph when ralph ends before it.
 *
 * @param pipes What a box gets as well, from descriptor 4 on.
 */
export async function startCommand(
  command: Command,
  marker: string,
  pipes: readonly 'pipe'[] = [],
): Promise<Started> {
  const { path, statusFile, serve } = command;
  const status = statusFile === null ? [] : [openSync(statusFile, 'w', 0o600)];
  const [name, ...args] = command.argv;
  let child: ChildProcess;
  try {
    const options: SpawnOptions = {
      argv0: name ?? path,
      cwd: command.cwd,
      env: { ...command.env, [MARKER]: marker },
      stdio: [
        command.stdin ?? 'ignore',
        command.stdout,
        command.stderr,
        ...status,
        ...pipes,
        ...channelOf(serve),
      ],
      detached: true,
    };
    child = start(path, args, options, statusFile === null ? 'agents' : 'ralph');
  } catch (error) {
    return startFailure(path, (error as NodeJS.ErrnoException).errno ?? 0);
  } finally {
    status.forEach(closeSync);
  }
  // Before anything is awaited: a short program may be over by then.
  const mainExit = whenExited(child);
  // Whatever else fails about it, such as its channel, shows by its end.
  child.on('error', () => undefined);
  const failure = await once(child, 'spawn').then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  const { pid } = child;
  if (failure !== null || pid === undefined) return startFailure(path, failure?.errno ?? 0);
  endWithRalph(child);
  serve?.(child);
  return { kind: 'started', child, pid, mainExit };
}

/** What a box that reaches listed hosts is started with as well. */
export function channelOf(serve: OpenedBox['serve']): 'ipc'[] {
  return serve === null ? [] : ['ipc'];
}

/** On `exit`, never on `close`: that one waits for whoever holds the pipes. */
function whenExited(child: ChildProcess): Promise<MainExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code === null ? { kind: 'signalled', signal: signal ?? 'SIGKILL' } : { kind: 'exited', code }),
    );
  });
}

const ADVICE: Record<string, string> = {
  ENOENT: 'If it is a script, the interpreter in its first line is missing.',
  EACCES: 'Check that it may be executed, and the interpreter in its first line too.',
  ENOEXEC: "It isn't a program for this system.",
  E2BIG: 'Its arguments and environment are too long: give the prompt on standard input or as a file.',
  EAGAIN: 'The system allows no more processes now.',
  ENOMEM: 'The system has no memory left.',
};

/** The system refused to start a program that exists. */
export function startFailure(program: string, errno: number): FailedLaunch {
  const [code, text] = getSystemErrorMap().get(-Math.abs(errno)) ?? [`errno ${errno}`, 'unknown error'];
  const advice = ADVICE[code];
  const message = `${program} could not be started: ${text} (${code}).${advice === undefined ? '' : ` ${advice}`}`;
  return { kind: 'failed', code, message };
}
