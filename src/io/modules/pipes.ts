import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { makePipe } from '../programs/start/start-program.ts';
import type { Modules } from './read-modules.ts';

/** Non-blocking pipes, so that answers can be awaited with and without the event loop. */
export type Pipes = {
  /** Descriptors for the program; call `handedOver` once it has them. */
  readonly input: number;
  readonly output: number;
  readonly handedOver: () => void;
  /** Sends as much of a line as fits now; `pump` sends the rest. */
  readonly send: (line: string) => void;
  /** Sends pending data and delivers received lines; returns false when the program is gone. */
  readonly pump: (onLine: (line: string) => void) => boolean;
  readonly close: () => void;
};

const CHUNK = 65_536;

/** Throws the Node error when the two named pipes can't be made in `folder`. */
export function openPipes(folder: string): Pipes {
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')];
  for (const path of [requests, answers]) makePipe(path);
  // A pipe's reading end must be opened first.
  const input = openSync(requests, constants.O_RDONLY | constants.O_NONBLOCK);
  const from = openSync(answers, constants.O_RDONLY | constants.O_NONBLOCK);
  const to = openSync(requests, constants.O_WRONLY | constants.O_NONBLOCK);
  const output = openSync(answers, constants.O_WRONLY);
  const chunk = Buffer.alloc(CHUNK);
  let unsent = Buffer.of();
  let unread = '';
  const decoder = new TextDecoder();
  let isOpen = true;

  const flush = (): boolean => {
    while (unsent.length > 0) {
      const written = unlessBusy(() => writeSync(to, unsent));
      if (written === 'busy') return true;
      if (written === 'gone') return false;
      unsent = unsent.subarray(written);
    }
    return true;
  };

  return {
    input,
    output,
    handedOver: () => {
      closeSync(input);
      closeSync(output);
    },
    send: (line) => {
      unsent = Buffer.concat([unsent, Buffer.from(`${line}\n`)]);
      if (isOpen) flush();
    },
    pump: (onLine) => {
      if (!isOpen) return false;
      let isThere = flush();
      for (;;) {
        const read = unlessBusy(() => readSync(from, chunk));
        if (read === 'busy') break;
        if (read === 'gone' || read === 0) {
          isThere = false;
          break;
        }
        unread += decoder.decode(chunk.subarray(0, read), { stream: true });
      }
      const lines = unread.split('\n');
      unread = lines.pop() ?? '';
      lines.forEach(onLine);
      return isThere;
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      closeSync(from);
      closeSync(to);
    },
  };
}

/** Returns the call's result; `busy`: nothing now, `gone`: the other end is closed. @throws Any other Node error. */
function unlessBusy(call: () => number): number | 'busy' | 'gone' {
  try {
    return call();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return 'busy';
    if (code === 'EPIPE') return 'gone';
    throw error;
  }
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
