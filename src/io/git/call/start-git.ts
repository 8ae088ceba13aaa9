import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { endWithRalph } from '../../own-children.ts';
import { sendSignal } from '../../proc/table/signals.ts';
import type { GitCall } from './environment.ts';

/** Waits for a line, then becomes the program behind it. */
const WAITING = 'read -r word <&3 && exec "$@" 3<&-';

/** Programs that were started before they are needed, by what they are. */
const waiting = new Map<string, ChildProcess>();

type Program = {
  readonly path: string;
  readonly args: readonly string[];
  readonly call: GitCall;
  readonly hasInput: boolean;
};

/** Starts a program in a session of its own, with pipes, or takes one that waits. */
export function startProgram(program: Program): ChildProcess {
  return takeWaiting(program) ?? spawnProgram(program);
}

/**
 * Starts a program that works only when it is started once more. To start a process holds up ralph for 3 ms, for which
 * there is time while an agent works.
 */
export function startAhead(program: Program): void {
  const key = keyOf(program);
  if (waiting.has(key)) return;
  const { path, args, hasInput } = program;
  // What reads its input waits for that.
  const child = hasInput
    ? spawnProgram(program)
    : spawnProgram({ ...program, path: '/bin/sh', args: ['-c', WAITING, 'sh', path, ...args] }, ['pipe']);
  waiting.set(key, child);
  const forget = () => waiting.get(key) === child && waiting.delete(key);
  child.once('error', forget).once('exit', forget);
  child.unref();
  for (const socket of socketsOf(child)) socket.unref();
}

function takeWaiting(program: Program): ChildProcess | null {
  const key = keyOf(program);
  const child = waiting.get(key);
  waiting.delete(key);
  if (child?.pid === undefined) return null;
  // An agent that isn't in a box could have stopped it.
  sendSignal(-child.pid, 'SIGCONT');
  child.ref();
  for (const socket of socketsOf(child)) socket.ref();
  const word = child.stdio[3];
  if (word instanceof Socket) word.on('error', () => undefined).end('\n');
  return child;
}

function spawnProgram({ path, args, call, hasInput }: Program, more: readonly 'pipe'[] = []): ChildProcess {
  const child = spawn(path, args, {
    cwd: call.folder,
    env: call.env,
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...more],
    detached: true,
  });
  endWithRalph(child);
  return child;
}

function socketsOf({ stdio }: ChildProcess): Socket[] {
  return stdio.filter((one) => one instanceof Socket);
}

function keyOf({ path, args, call, hasInput }: Program): string {
  const { GIT_DIR, GIT_COMMON_DIR, GIT_INDEX_FILE } = call.env;
  return JSON.stringify([path, args, call.folder, GIT_DIR, GIT_COMMON_DIR, GIT_INDEX_FILE, hasInput]);
}
