import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { OpenedBox } from '../../../domain/box/box.ts';
import { deferred } from '../../../lib/deferred.ts';
import { start } from '../start/start-program.ts';
import type { MainExit } from '../table/signals.ts';
import { asInBox, endWithRalph } from '../table/signals.ts';
import { MARKER } from '../table/tracked-tree.ts';
import type { Command, FailedLaunch } from './running.ts';
import { startFailure } from './start-failure.ts';

type Started =
  | { readonly kind: 'started'; readonly pid: number; readonly mainExit: Promise<MainExit> }
  | FailedLaunch;

/**
 * Starts a program, or a box around its files alone, in a session of its own. It ends with ralph when ralph ends before it.
 */
export async function startCommand(command: Command, marker: string): Promise<Started> {
  const { path, statusFile, serve } = command;
  const status = statusFile === null ? [] : [openSync(statusFile, 'w', 0o600)];
  const [name, ...args] = command.argv;
  let child: ChildProcess;
  try {
    const options: SpawnOptions = {
      argv0: name ?? path,
      cwd: command.cwd,
      env: { ...command.env, [MARKER]: marker },
      stdio: [command.stdin ?? 'ignore', command.stdout, command.stderr, ...status, ...channelOf(serve)],
      detached: true,
    };
    child = start(path, args, options, statusFile === null ? 'agents' : 'ralph');
  } catch (error) {
    return spawnFailure(path, error as NodeJS.ErrnoException);
  } finally {
    status.forEach(closeSync);
  }
  // Before anything is awaited: a short program may be over by then.
  const mainExit = whenExited(child).then((exit) => (statusFile === null ? exit : asInBox(exit)));
  const failure = await whenStarted(child);
  if (failure !== null || child.pid === undefined) return spawnFailure(path, failure);
  endWithRalph(child);
  serve?.(child);
  return { kind: 'started', pid: child.pid, mainExit };
}

/** What a box that reaches listed hosts is started with as well. */
export function channelOf(serve: OpenedBox['serve']): 'ipc'[] {
  return serve === null ? [] : ['ipc'];
}

/** On `exit`, never on `close`: that one waits for whoever holds the pipes. */
export function whenExited(child: ChildProcess): Promise<MainExit> {
  const result = deferred<MainExit>();
  child.once('exit', (code, signal) => {
    result.resolve(
      code === null ? { kind: 'signalled', signal: signal ?? 'SIGKILL' } : { kind: 'exited', code },
    );
  });
  return result.promise;
}

/** `null` when the system has started it. */
export function whenStarted(child: ChildProcess): Promise<NodeJS.ErrnoException | null> {
  const result = deferred<NodeJS.ErrnoException | null>();
  child.once('spawn', () => result.resolve(null));
  child.on('error', result.resolve);
  return result.promise;
}

function spawnFailure(path: string, error: NodeJS.ErrnoException | null): FailedLaunch {
  return startFailure(path, error?.errno ?? 0);
}
