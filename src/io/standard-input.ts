import { readSync } from 'node:fs';

const CHUNK = 65_536;
/** How long a pipe that is empty for now is left alone; milliseconds. */
const PAUSE_MS = 2;

/** All of the standard input as text, to its end. A pipe that another program made non-blocking is waited for. */
export function standardInput(): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const read = readSome(chunk);
    if (read === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(chunk.subarray(0, read));
  }
}

/** The number of bytes; 0 at the end. */
function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
