import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { readPlainFile } from '../files/plain-file.ts';
import { isSystemError } from '../store-error.ts';

/** A position in a journal: so many bytes, and the running hash over them (which is only ever copied). */
export type Mark = { readonly size: number; readonly running: Hash };

const Written = z.object({ size: z.number(), sha256: z.string() });

/**
 * What the journal must be, kept outside of the repository. `next` is written before the journal is, and `now` follows
 * after: a crash leaves the journal at `now`, at `next`, or in the middle of the write between. At rest both are equal.
 */
export const JournalHead = z.object({ now: Written, next: Written });
export type JournalHead = z.infer<typeof JournalHead>;

export const EMPTY_MARK: Mark = { size: 0, running: createHash('sha256') };

/** The mark after these bytes. Costs what they cost, however long the journal is. */
export function advance(mark: Mark, bytes: Uint8Array): Mark {
  return { size: mark.size + bytes.length, running: mark.running.copy().update(bytes) };
}

/** The journal stands where ralph left it, or where a write that was cut off would have left it. */
export function isExpected(mark: Mark, head: JournalHead | null): boolean {
  return head === null || standsAt(mark, head.now) || standsAt(mark, head.next);
}

export function standsAt(mark: Mark, written: JournalHead['now']): boolean {
  return mark.size === written.size && sha256Of(mark) === written.sha256;
}

function sha256Of(mark: Mark): string {
  return mark.running.copy().digest('hex');
}

/** `null` when there is none or it cannot be read: then the journal is taken as it is. */
export function readHead(path: string): JournalHead | null {
  try {
    const file = readPlainFile(path, MAX_HEAD);
    if (file.kind !== 'file') return null;
    const head = JournalHead.safeParse(JSON.parse(file.bytes.toString('utf8')));
    return head.success ? head.data : null;
  } catch {
    return null;
  }
}

/** Bytes of the file; more than it needs, so that every write covers the one before. */
const HEAD_BYTES = 512;
const MAX_HEAD = 65_536;

/**
 * One write in place: it happens before and after every append, and a rename costs milliseconds on a busy disk. A
 * killed process leaves the old or the new content. It is not forced to the disk: a head that a power failure tears
 * is no head, which costs a check and never a record.
 */
export function writeHead(path: string, marks: { readonly now: Mark; readonly next: Mark }): void {
  const written = (mark: Mark) => ({ size: mark.size, sha256: sha256Of(mark) });
  const head: JournalHead = { now: written(marks.now), next: written(marks.next) };
  const fd = openHead(path);
  try {
    writeSync(
      fd,
      JSON.stringify(head)
        .padEnd(HEAD_BYTES - 1)
        .concat('\n'),
      0,
    );
    if (fstatSync(fd).size > HEAD_BYTES) ftruncateSync(fd, HEAD_BYTES);
  } finally {
    closeSync(fd);
  }
}

/** A pipe (ENXIO, where an ordinary open would wait for ever), a link or a folder in its place gives way. */
const NO_PLAIN_FILE: ReadonlySet<string> = new Set(['ENXIO', 'ELOOP', 'EISDIR']);

function openHead(path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (NO_PLAIN_FILE.has(code)) rmSync(path, { recursive: true, force: true });
    else if (code === 'ENOENT') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    else throw error;
    return openSync(path, flags, 0o600);
  }
}

/** After the write. When this fails the head still names the journal as `next`, so the change stands. */
export function settleHead(path: string, mark: Mark): void {
  try {
    writeHead(path, { now: mark, next: mark });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
