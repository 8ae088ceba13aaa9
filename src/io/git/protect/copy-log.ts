import { closeSync, constants, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { openPlainForWriting } from '../../store/files/plain-file.ts';

const { O_APPEND, O_CREAT, O_RDWR } = constants;
/** In front of each content: its name and its length. */
const HEADER = /^([^ \n]+) (\d+)\n/;
const LONGEST_HEADER = 256;

/** Many small contents in one file, each by a name. A file for each takes some disks a hundred times as long. */
export type CopyLog = {
  readonly names: () => Iterable<string>;
  /** @throws The Node error; what is in the log stays whole. */
  readonly add: (name: string, bytes: Buffer) => void;
  /** `null`: there is none of this name. */
  readonly read: (name: string) => Buffer | null;
  readonly close: () => void;
};

type Place = { readonly at: number; readonly length: number };

/**
 * Opens a log, or makes it. What a process that was killed added last may be incomplete: that goes.
 *
 * @throws The Node error
 */
export function openCopyLog(path: string): CopyLog {
  const fd = openPlainForWriting(path, O_RDWR | O_CREAT | O_APPEND, 0o600);
  const places = new Map<string, Place>();
  let end = readPlaces(fd, places);
  ftruncateSync(fd, end);
  return {
    names: () => places.keys(),
    add: (name, bytes) => {
      const header = Buffer.from(`${name} ${bytes.length}\n`);
      try {
        writeAll(fd, Buffer.concat([header, bytes]));
      } catch (error) {
        ftruncateSync(fd, end);
        throw error;
      }
      places.set(name, { at: end + header.length, length: bytes.length });
      end += header.length + bytes.length;
    },
    read: (name) => {
      const place = places.get(name);
      return place === undefined ? null : readAt(fd, place);
    },
    close: () => closeSync(fd),
  };
}

/** @returns where the last complete content ends. */
function readPlaces(fd: number, places: Map<string, Place>): number {
  const { size } = fstatSync(fd);
  let end = 0;
  while (end < size) {
    const header = HEADER.exec(readAt(fd, { at: end, length: LONGEST_HEADER }).toString('latin1'));
    if (header === null) break;
    const [{ length: start }, name = '', length] = header;
    const place = { at: end + start, length: Number(length) };
    if (place.at + place.length > size) break;
    places.set(name, place);
    end = place.at + place.length;
  }
  return end;
}

/** As much of it as is there. */
function readAt(fd: number, { at, length }: Place): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
