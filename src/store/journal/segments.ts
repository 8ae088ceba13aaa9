import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { namesIn, readPlainFile } from 'ralph-kit/files/plain-file';

/** Uncompressed size limit of a segment, in bytes. */
const MAX_SEGMENT = 128 * 1024 * 1024;

export type Segment = { readonly number: number; readonly path: string };

export function listSegments(folder: string): Segment[] {
  return namesIn(folder)
    .flatMap((name) => {
      const match = /^(\d{4,})\.jsonl\.gz$/.exec(name);
      return match ? [{ number: Number(match[1]), path: join(folder, name) }] : [];
    })
    .sort((a, b) => a.number - b.number);
}

/** Returns a segment's journal bytes; `null` when damaged. */
export function readSegment(path: string): Buffer | null {
  try {
    const file = readPlainFile(path);
    return file.kind === 'file' ? gunzipSync(file.bytes, { maxOutputLength: MAX_SEGMENT }) : null;
  } catch {
    return null;
  }
}

/** Replaces a segment with the same first line, left by a crash, so that no record is in two segments. */
export function sealSegment(folder: string, journal: Buffer): void {
  const newest = listSegments(folder).at(-1);
  const again = newest !== undefined && firstLine(readSegment(newest.path)) === firstLine(journal);
  const number = newest === undefined ? 1 : newest.number + (again ? 0 : 1);
  replaceFile(join(folder, `${String(number).padStart(4, '0')}.jsonl.gz`), gzipSync(journal), {
    mode: 0o600,
    folderMode: 0o700,
  });
}

function firstLine(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  const end = bytes.indexOf(0x0a);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}
