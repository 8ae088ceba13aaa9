import { closeSync, constants, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { makePipe } from 'ralph-kit/programs/start/start-program';
import type { Modules } from './read-modules.ts';

/** Two named pipes to a program. They are files, so every start (`launch.ts`) can hand them over. */
export type Channel = {
  /** Descriptors for the program; call `handedOver` once it has them. */
  readonly input: number;
  readonly output: number;
  readonly handedOver: () => void;
  readonly send: (line: string) => void;
  /** Calls `onLine` for each received line, and `onEnd` when the program has closed its end. */
  readonly listen: (onLine: (line: string) => void, onEnd: () => void) => void;
  readonly close: () => void;
};

/** A program that sends a longer line, in characters, isn't heard any more. */
const LONGEST_LINE = 4_000_000;

/** @throws The Node error when `folder` can't hold pipes. */
export function openChannel(folder: string): Channel {
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')];
  for (const path of [requests, answers]) makePipe(path);
  // A pipe's reading end must be opened first.
  const input = openSync(requests, constants.O_RDONLY | constants.O_NONBLOCK);
  const reading = openSync(answers, constants.O_RDONLY | constants.O_NONBLOCK);
  const to = new Socket({
    fd: openSync(requests, constants.O_WRONLY | constants.O_NONBLOCK),
    readable: false,
    writable: true,
  });
  const output = openSync(answers, constants.O_WRONLY);
  const from = new Socket({ fd: reading, readable: true, writable: false });
  from.setEncoding('utf8');
  // What is wrong with a pipe closes it.
  for (const socket of [from, to]) socket.on('error', () => undefined);
  return {
    input,
    output,
    handedOver: () => {
      closeSync(input);
      closeSync(output);
    },
    send: (line) => void to.write(`${line}\n`),
    listen: (onLine, onEnd) => {
      let unread = '';
      from.on('data', (text: string) => {
        const lines = (unread + text).split('\n');
        unread = lines.pop() ?? '';
        lines.forEach(onLine);
        if (unread.length > LONGEST_LINE) from.destroy();
      });
      from.on('close', onEnd);
    },
    close: () => {
      from.destroy();
      to.destroy();
    },
  };
}

/** Keeps modules' paths, so that imports still work. @param folder Absolute, empty. @throws The Node error */
export function keepModules({ parts, links }: Modules, folder: string): void {
  const at = (path: string) => {
    const kept = join(folder, path);
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    return kept;
  };
  // A file may belong to several parts.
  const files = new Map(parts.flatMap((part) => part.files.map(({ path, bytes }) => [path, bytes] as const)));
  for (const [path, bytes] of files) writeFileSync(at(path), bytes, { mode: 0o600 });
  for (const [path, to] of links) {
    const link = at(path);
    symlinkSync(relative(dirname(link), join(folder, to)), link);
  }
}
