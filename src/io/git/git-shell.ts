import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { singleQuoted } from '../../lib/shell-quote.ts';

/**
 * A shell that waits to start git for us. Starting a program from Node copies the tables of a large process and holds
 * it up until the program runs: 2 to 3 ms and more for each call in a loop that has run for a while; a shell needs
 * less than one, and meanwhile Node goes on. What git reads and writes are files without a name that both have open.
 */
export type GitShell = {
  /**
   * Not while another command runs. `null`: the shell is gone, and nobody knows how far the command came.
   * @throws The Node error when the input cannot be kept, because the disk is full perhaps.
   */
  readonly run: (command: ShellCommand) => Promise<ShellAnswer | null>;
  readonly usable: () => boolean;
  /** The variables it was started with. */
  readonly env: NodeJS.ProcessEnv;
};

export type ShellCommand = {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables beside those that the shell was started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: Buffer | string | undefined;
  readonly maxBytes: number | undefined;
};

export type ShellAnswer = { readonly code: number; readonly stdout: Buffer; readonly stderr: Buffer };

/** Descriptors of the three files in the shell. */
const [IN, OUT, ERR] = [3, 4, 5] as const;
/** Size at which a file of answers is emptied. */
const GROWN_BYTES = 4 * 1024 * 1024;
/** Unit of `ulimit -f`. @see sh(1) */
const BLOCK_BYTES = 512;

/** `null` where the system has no `/proc` to open a file again by its descriptor, or no shell. */
export function openGitShell(env: NodeJS.ProcessEnv): GitShell | null {
  if (process.platform !== 'linux') return null;
  const files = namelessFiles(3);
  const [input, output, errors] = files;
  if (input === undefined || output === undefined || errors === undefined) return null;
  const child = startShell(env, files);
  if (child === null) {
    for (const file of files) closeSync(file);
    return null;
  }
  const stdin = child.stdin as unknown as Socket;
  const stdout = child.stdout as unknown as Socket;
  let waiting: ((code: number | null) => void) | null = null;
  let over = false;
  const answer = (code: number | null) => {
    const call = waiting;
    waiting = null;
    call?.(code);
  };
  stdout.setEncoding('utf8');
  stdout.on('data', (text: string) => answer(Number(text)));
  endWithUs(child);
  child.once('close', () => {
    over = true;
    for (const file of files) closeSync(file);
    answer(null);
  });
  child.on('error', () => undefined);
  stdin.on('error', () => undefined);
  const hold = (held: boolean) => {
    for (const one of [child, stdin, stdout]) held ? one.ref() : one.unref();
  };
  hold(false);

  return {
    usable: () => !over,
    env,
    run: async (command) => {
      if (command.input !== undefined) replaceContent(input, Buffer.from(command.input));
      const [outputFrom, errorsFrom] = [endOf(output), endOf(errors)];
      hold(true);
      const code = await new Promise<number | null>((resolve) => {
        waiting = resolve;
        // An agent may have stopped it.
        child.kill('SIGCONT');
        stdin.write(scriptOf(command));
      });
      if (code === null) return null;
      hold(false);
      return { code, stdout: readFrom(output, outputFrom), stderr: readFrom(errors, errorsFrom) };
    },
  };
}

const waitingShells = new Set<ChildProcess>();

/** It would end by itself, a moment after ralph; whoever looks then would find something that ralph left behind. */
function endWithUs(child: ChildProcess): void {
  if (waitingShells.size === 0) process.once('exit', endShells);
  waitingShells.add(child);
  child.once('close', () => {
    waitingShells.delete(child);
    if (waitingShells.size === 0) process.off('exit', endShells);
  });
}

function endShells(): void {
  for (const child of waitingShells) child.kill('SIGKILL');
}

/** Data goes into the script as quoted words only. */
function scriptOf({ args, cwd, env, input, maxBytes }: ShellCommand): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${singleQuoted(value)}`);
  const git = [...variables, 'git', ...args.map(singleQuoted)].join(' ');
  const from = input === undefined ? '/dev/null' : `/proc/self/fd/${IN}`;
  const limited =
    maxBytes === undefined
      ? git
      : `(ulimit -f ${Math.ceil((GROWN_BYTES + maxBytes) / BLOCK_BYTES) + 1}; ${git})`;
  return `{ cd ${singleQuoted(cwd)} && ${limited}; } <${from} >&${OUT} 2>&${ERR}; echo $?\n`;
}

function startShell(env: NodeJS.ProcessEnv, files: readonly number[]): ChildProcess | null {
  try {
    const child = spawn('/bin/sh', [], {
      cwd: '/',
      env,
      stdio: ['pipe', 'pipe', 'ignore', ...files],
      // Ctrl-C on the terminal is for ralph alone.
      detached: true,
    });
    return child.pid === undefined ? null : child;
  } catch {
    return null;
  }
}

/** Open for reading and appending, and gone with their last descriptor; none where no temporary file can be made. */
function namelessFiles(count: number): number[] {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'ralph-git-'));
  } catch {
    return [];
  }
  const files: number[] = [];
  try {
    while (files.length < count) files.push(openSync(join(folder, `${files.length}`), 'a+', 0o600));
  } catch {
    for (const file of files.splice(0)) closeSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return files;
}

function replaceContent(file: number, bytes: Buffer): void {
  ftruncateSync(file, 0);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Where the next answer begins. Cutting a file down costs more than letting it grow for a while. */
function endOf(file: number): number {
  const { size } = fstatSync(file);
  if (size < GROWN_BYTES) return size;
  ftruncateSync(file, 0);
  return 0;
}

function readFrom(file: number, start: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - start));
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(file, bytes, at, bytes.length - at, start + at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}
