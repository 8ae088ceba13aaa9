import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

/** A program's standard input that stays open. */
export type Channel = {
  /** What the program reads; the caller closes it when the program has it. */
  readonly stdin: number;
  /** Writes one line, now or when the program has read what came before. False when its input is closed. */
  readonly send: (line: string) => boolean;
  /** The program finds the end of its input behind what was sent. */
  readonly end: () => void;
  readonly close: () => void;
};

/**
 * A named pipe, so that every way of starting a program (`launch.ts`) opens it as it opens a file.
 *
 * @throws The Node error when there can be none in this folder.
 */
export function openChannel(folder: string): Channel {
  const path = join(folder, 'input');
  execFileSync('mkfifo', ['-m', '600', path]);
  // Opened for both, so that opening never waits and the program finds no end before `end`.
  const writing = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let stdin: number;
  try {
    stdin = openSync(path, constants.O_RDONLY);
  } catch (error) {
    closeSync(writing);
    throw error;
  }
  const socket = new Socket({ fd: writing, readable: false, writable: true });
  // A program that is gone reads no more: its end is noticed elsewhere.
  socket.on('error', () => undefined);
  return {
    stdin,
    send: (line) => {
      if (socket.writableEnded || socket.destroyed) return false;
      socket.write(`${line}\n`);
      return true;
    },
    end: () => socket.end(),
    close: () => socket.destroy(),
  };
}
