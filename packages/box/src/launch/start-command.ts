import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { start } from 'ralph-kit/programs/start/start-program';
import { endWithRalph, type MainExit } from 'ralph-kit/programs/table/signals';
import { MARKER } from 'ralph-kit/programs/table/tracked-tree';
import type { OpenedBox } from '../protocol/index.ts';
import type { Command, FailedLaunch } from './running.ts';

type Started =
  | {
      readonly kind: 'started';
      readonly child: ChildProcess;
      readonly pid: number;
      readonly mainExit: Promise<MainExit>;
    }
  | FailedLaunch;

/** Uses its own session, and ends with ralph at the latest. @param pipes Additional descriptors, from 4 on. */
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
  // The exit must be watched before any `await`: a short program may end by then.
  const mainExit = whenExited(child);
  // Other failures, such as the channel's, show in the program's exit.
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

/** A box that reaches listed hosts needs a channel. */
export function channelOf(serve: OpenedBox['serve']): 'ipc'[] {
  return serve === null ? [] : ['ipc'];
}

/** `close` would wait for every process that holds the pipes. */
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

export function startFailure(program: string, errno: number): FailedLaunch {
  const [code, text] = getSystemErrorMap().get(-Math.abs(errno)) ?? [`errno ${errno}`, 'unknown error'];
  const advice = ADVICE[code];
  const message = `${program} could not be started: ${text} (${code}).${advice === undefined ? '' : ` ${advice}`}`;
  return { kind: 'failed', code, message };
}
