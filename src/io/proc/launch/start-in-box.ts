import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { OpenedBox } from '../../../domain/box/box.ts';
import { deferred } from '../../../lib/deferred.ts';
import { singleQuoted } from '../../../lib/shell-quote.ts';
import { endWithRalph } from '../../own-children.ts';
import { asInBox } from '../table/signals.ts';
import type { Environment, FailedLaunch, Orders, StartedBox } from './running.ts';
import { whenExited, whenStarted } from './start-command.ts';
import { startFailure } from './start-failure.ts';
import { MARKER } from './tracked-tree.ts';

/** Where bubblewrap is started, and what its program gets for its descriptors 0 to 2; the first one once it is told. */
type Place = {
  readonly cwd: string;
  readonly stdin: number | null;
  readonly stdout: number;
  readonly stderr: number;
};

/**
 * bubblewrap asks the kernel to end with ralph before anything starts in the box, and doesn't notice when ralph is gone
 * by then. So the program waits for ralph's word; meanwhile the first process of the box asks for the same.
 */
const ONLY_BELOW_RALPH = '{ echo >&4 && read -r _ <&4; } 2>/dev/null || exit';

/** What a shell can set; others have to be in its environment from the start. */
const SHELL_NAME = /^[A-Za-z_]\w*$/;

/** Starts a box that holds its processes. */
export async function startBox(
  { program, args, env, statusFile }: OpenedBox,
  { cwd, stdin, stdout, stderr }: Place,
  marker: string,
): Promise<{ readonly kind: 'started'; readonly box: StartedBox } | FailedLaunch> {
  const status = openSync(statusFile, 'w', 0o600);
  const given = { ...env, [MARKER]: marker };
  let child: ChildProcess;
  try {
    child = spawn(program, [...args, '--json-status-fd', '3', '--', '/bin/sh'], {
      argv0: 'bwrap',
      cwd,
      env: given,
      stdio: ['pipe', stdout, stderr, status, 'pipe', stdin ?? 'ignore'],
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
  const pipes = child.stdio.filter((one) => one instanceof Socket);
  // Who is gone doesn't read any more: its end is noticed.
  for (const pipe of pipes) pipe.on('error', () => undefined);
  const [orders, asking] = pipes;
  const asked = deferred<void>();
  asking?.once('data', asked.resolve);
  // Nothing waits for a word of a box that was ended while it was made.
  child.once('exit', () => asking?.destroy());
  const box = {
    ...{ pid, mainExit },
    tell: (wanted: Orders) => {
      for (const one of [child, ...pipes]) one.ref();
      endWithRalph(child);
      orders?.end(`${orderText(wanted, given)}\n`);
    },
    sayWord: (onBegun?: () => void) => {
      void asked.promise.then(() => {
        asking?.write('\n');
        onBegun?.();
      });
    },
    leave: () => {
      for (const one of [child, ...pipes]) one.unref();
    },
  };
  return { kind: 'started', box };
}

/** Whether a shell with one environment can give another one to what it becomes. */
export function canBecome(from: Environment, to: Environment): boolean {
  return differing(from, to).every((name) => SHELL_NAME.test(name));
}

/** One command line, however many lines its words have: the shell has read all of it before its input is another. */
function orderText({ argv, env, hasInput }: Orders, given: Environment): string {
  const wanted: Environment = { ...env, [MARKER]: given[MARKER] };
  const changes = differing(given, wanted).map((name) => {
    const value = wanted[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${singleQuoted(value)}`;
  });
  const files = hasInput ? '<&5 5<&-' : '</dev/null';
  return [ONLY_BELOW_RALPH, ...changes, `exec ${argv.map(singleQuoted).join(' ')} ${files} 4>&-`].join('; ');
}

function differing(from: Environment, to: Environment): string[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => from[name] !== to[name]);
}
