import { fstat, read } from 'node:fs';
import { promisify } from 'node:util';
import type { Clock } from '../../domain/ports.ts';
import { deferred } from './deferred.ts';

const CHUNK_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 50;

export type Follower = {
  /** Resolves when reading or `onChunk` has thrown, with what it threw. */
  readonly broken: Promise<unknown>;
  /** Reads what is left and stops. Gives the number of bytes read in all. @throws what `onChunk` threw. */
  readonly finish: () => Promise<number>;
};

/**
 * Reads a file while others write to it. Memory stays at one chunk whatever its size. A file that is cut (a program
 * may open `/dev/stdout` anew) is read from its new beginning.
 *
 * @param file a descriptor open for reading; it stays open.
 * @param onChunk gets a buffer that is used again for the next chunk.
 */
export function followFile(file: number, onChunk: (chunk: Uint8Array) => void, clock: Clock): Follower {
  const finished = new AbortController();
  const broken = deferred<unknown>();
  const total = follow();
  total.catch(broken.resolve);

  async function follow(): Promise<number> {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let place = { offset: 0, total: 0 };
    while (!finished.signal.aborted) {
      place = await readOn(file, buffer, place, onChunk);
      await clock.sleep(LOOK_EVERY_MS, finished.signal);
    }
    return (await readOn(file, buffer, place, onChunk)).total;
  }

  return {
    broken: broken.promise,
    finish: () => {
      finished.abort();
      return total;
    },
  };
}

const statOf = promisify(fstat);
const readFrom = promisify(read);

type Place = { readonly offset: number; readonly total: number };

/** Reads to the end that the file has now: a writer that is faster than the reader does not hold it here. */
async function readOn(
  file: number,
  buffer: Buffer,
  place: Place,
  onChunk: (chunk: Uint8Array) => void,
): Promise<Place> {
  const { size } = await statOf(file);
  let offset = size < place.offset ? 0 : place.offset;
  let total = place.total;
  while (offset < size) {
    const { bytesRead } = await readFrom(file, buffer, 0, Math.min(buffer.length, size - offset), offset);
    if (bytesRead === 0) break;
    onChunk(buffer.subarray(0, bytesRead));
    offset += bytesRead;
    total += bytesRead;
  }
  return { offset, total };
}
