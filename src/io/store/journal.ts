import { appendFileSync, truncateSync } from 'node:fs';
import type { JournalBody, JournalRecord } from '../../domain/journal.ts';
import { StoreError } from '../../domain/ports.ts';
import type { State } from '../../domain/state.ts';
import { appendDurably } from './append-durably.ts';
import { replaceFile } from './atomic-file.ts';
import { notPlain, problemOf, readFrom, readJournalFile, vouchedPart } from './journal-check.ts';
import {
  advance,
  EMPTY_MARK,
  isExpected,
  type Mark,
  readHead,
  settleHead,
  standsAt,
  writeHead,
} from './journal-head.ts';
import { isCompleteRecord, type JournalReading, readJournalLines } from './journal-lines.ts';
import { liveHolder } from './lock.ts';
import type { StoreOptions } from './open-options.ts';
import { fileSignature, lstatOrNull, readPlainFile } from './plain-file.ts';
import { foldSegments, listSegments, sealSegment } from './segments.ts';
import { setAside } from './set-aside.ts';
import { isSystemError, storeError } from './store-error.ts';
import type { StorePaths } from './store-paths.ts';
import { isLastWritten, readViewFiles } from './view-files.ts';

/** Journal bytes at which a segment is sealed: as much as every start has to read and check. */
const SEGMENT_BYTES = 512 * 1024;

/** `write`: under the lock, and what is wrong is mended; `read`: nothing is written. */
type SyncMode = 'write' | 'read';

/** The journal file with its fold, as this process last saw it. */
export type Journal = {
  readonly state: () => State;
  readonly mark: () => Mark;
  /** Number of the last record. */
  readonly seq: () => number;
  /** Nobody wrote since the file was read. */
  readonly isCurrent: () => boolean;
  /** Takes in what is in the file by now. */
  readonly sync: (mode: SyncMode) => void;
  /** Appends and folds. Only under the lock, after a `sync`. @throws StoreError */
  readonly append: (bodies: readonly JournalBody[]) => void;
  /** Seals a segment when the journal is large. Only under the lock. */
  readonly sealWhenFull: () => void;
  /** Makes these bytes, which end in a line end, the journal. Only under the lock. */
  readonly replace: (bytes: Buffer) => void;
  /** Called instead of the mending when the file is not what it must be; true when it is right again. */
  readonly protect: (mend: (() => boolean) | null) => void;
};

export function createJournal(
  options: StoreOptions,
  paths: StorePaths,
  notice: (text: string) => void,
): Journal {
  const { fold } = options;
  let state = fold.empty;
  let seq = 0;
  let mark = EMPTY_MARK;
  let firstLineBytes = 0;
  /** `fileSignature` of the file as it was read; `null`: look again. */
  let signature: string | null = null;
  let inode: bigint | null = null;
  /** Why this process may not write for now. */
  let frozen: string | null = null;
  let mend: (() => boolean) | null = null;

  function isCurrent(stat = lstatOrNull(paths.journal)): boolean {
    return stat !== null && signature === fileSignature(stat) && stat.size === BigInt(mark.size);
  }

  function sync(mode: SyncMode): void {
    const stat = lstatOrNull(paths.journal);
    if (isCurrent(stat)) return;
    if (stat?.isFile() && stat.ino === inode && stat.size > BigInt(mark.size) && readTail(mode)) return;
    reload(mode);
  }

  /** What other processes appended; false when that is not all that happened. */
  function readTail(mode: SyncMode): boolean {
    const bytes = readFrom(paths.journal, mark.size);
    if (bytes === null) return false;
    const reading = readJournalLines(bytes, seq);
    const last = advance(mark, bytes.subarray(0, reading.complete));
    const head = readHead(paths.head);
    if (reading.damage !== null || reading.complete < bytes.length || !isExpected(last, head)) return false;
    accept(fold.apply(state, reading.records), reading, last);
    if (mode === 'read') signature = null;
    return true;
  }

  function accept(next: State, reading: Pick<JournalReading, 'seq' | 'newer'>, at: Mark): void {
    for (const type of new Set(reading.newer)) {
      notice(`The journal holds records of a newer version (${type}): they are kept and not used.`);
    }
    state = next;
    seq = Math.max(reading.seq, next.seq);
    mark = at;
    frozen = null;
    rememberFile();
  }

  function rememberFile(): void {
    const stat = lstatOrNull(paths.journal);
    signature = stat === null ? null : fileSignature(stat);
    inode = stat?.ino ?? null;
  }

  function reload(mode: SyncMode): void {
    const head = readHead(paths.head);
    const file = readJournalFile(paths.journal, head);
    if (file.kind !== 'file') {
      reloadMissing(mode, file.kind === 'absent' ? null : notPlain(file));
      return;
    }
    const reading = readJournalLines(file.bytes, 0);
    const end = advance(EMPTY_MARK, file.bytes.subarray(0, reading.complete));
    firstLineBytes = reading.firstLine;
    const rest = file.bytes.subarray(reading.complete);
    const crashed = head === null || (standsAt(end, head.now) && file.bytes.length <= head.next.size);
    const wrong = file.tooLarge ?? problemOf(reading, end, head, rest);
    if (mode === 'read' || (wrong !== null && isFrozen())) {
      const part = wrong === null ? file.bytes : vouchedPart(file.bytes, head);
      const shown = readJournalLines(part, 0);
      accept(foldReading(shown), shown, advance(EMPTY_MARK, part.subarray(0, shown.complete)));
      signature = null;
      frozen = wrong === null ? null : frozenMessage(wrong);
      return;
    }
    if (wrong !== null && mend?.()) {
      reload(mode);
      return;
    }
    if (wrong !== null && seq > 0 && head !== null && isExpected(mark, head)) {
      // This process has seen all that ralph wrote: its state is the truth.
      startAnew(state, wrong, true, []);
      return;
    }
    if (rest.length > 0 && reading.damage === null && file.tooLarge === null) {
      if (isCompleteRecord(rest)) {
        appendFileSync(paths.journal, '\n');
        reload(mode);
        return;
      }
      if (!crashed) {
        startAnew(foldReading(reading), 'its last line is incomplete', true, newerViews(reading.seq));
        return;
      }
      truncateSync(paths.journal, end.size);
      notice(
        `The last record of .ralph/journal.jsonl was incomplete (${rest.length} bytes of an interrupted write) and was cut off.`,
      );
    }
    if (reading.damage !== null || file.tooLarge !== null)
      startAnew(foldReading(reading), wrong ?? '', true, newerViews(reading.seq));
    else if (wrong === null) accept(foldReading(reading), reading, end);
    else {
      accept(foldReading(reading), reading, end);
      notice(`.ralph/journal.jsonl: ${wrong}. Its records were kept.`);
      append([repaired(wrong, null), ...newerViews(reading.seq)]);
    }
  }

  function repaired(reason: string, aside: string | null): JournalBody {
    return { type: 'document_repaired', path: 'journal.jsonl', reason, setAside: aside };
  }

  /** What the documents, as ralph left them, hold beyond a journal that lost records. */
  function newerViews(since: number): JournalBody[] {
    const files = readViewFiles(paths.dir).filter((file) =>
      isLastWritten(paths.viewHashes, file.path, Buffer.from(file.text)),
    );
    const { records } = options.importViews(files);
    return records.filter((record) => record.type === 'imported' && (record.state?.seq ?? 0) >= since);
  }

  /** A journal that goes on from a segment which it does not name begins with the fold of the segments. */
  function foldReading(reading: JournalReading): State {
    const first = reading.records[0];
    const whole = first === undefined || first.seq === 1 || first.type === 'state_snapshot';
    const base = whole && reading.damage?.line !== 1 ? fold.empty : foldSegments(paths.segments, fold);
    return fold.apply(
      base,
      reading.records.filter((record) => record.seq > base.seq),
    );
  }

  function reloadMissing(mode: SyncMode, blocker: string | null): void {
    if (mode === 'read') {
      if (seq === 0) state = foldSegments(paths.segments, fold);
      return;
    }
    const known = seq > 0 || listSegments(paths.segments).length > 0;
    const wrong = blocker ?? 'it was missing';
    if ((known || blocker !== null) && isFrozen()) {
      frozen = frozenMessage(wrong);
      return;
    }
    if (known && mend?.()) {
      reload(mode);
      return;
    }
    const base = seq > 0 ? state : foldSegments(paths.segments, fold);
    if (known || blocker !== null) {
      startAnew(base, wrong, blocker !== null, seq > 0 ? [] : newerViews(base.seq));
      return;
    }
    state = base;
    mark = EMPTY_MARK;
    const imported = options.importViews(readViewFiles(paths.dir));
    for (const note of imported.notes) notice(note);
    append(imported.records);
  }

  /** A new journal that begins with the state; the old file, where there is one, is kept under another name. */
  function startAnew(base: State, reason: string, keep: boolean, records: readonly JournalBody[]): void {
    const aside = keep ? setAside(paths.dir, 'journal.jsonl', 'damaged', options.clock.now()) : null;
    const known = records.map((record) => (record.type === 'imported' ? (record.state?.seq ?? 0) : 0));
    seq = Math.max(seq, base.seq, ...known);
    writeSnapshot(base);
    const kept = aside === null ? '' : ` The file as it was is kept as .ralph/${aside}.`;
    notice(`.ralph/journal.jsonl was rebuilt: ${reason}.${kept}`);
    append([repaired(reason, aside), ...records]);
  }

  function writeSnapshot(next: State): void {
    const record = { seq: seq + 1, at: options.clock.now(), type: 'state_snapshot', state: next } as const;
    const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
    const after = advance(EMPTY_MARK, bytes);
    try {
      writeHead(paths.head, { now: mark, next: after });
      replaceFile(paths.journal, bytes);
    } catch (error) {
      throw storeError('The journal cannot be written', error);
    }
    settleHead(paths.head, after);
    firstLineBytes = bytes.length;
    accept(fold.apply(next, [record]), { seq: record.seq, newer: [] }, after);
  }

  function append(bodies: readonly JournalBody[]): void {
    if (bodies.length === 0) return;
    if (frozen !== null) throw new StoreError(frozen);
    const at = options.clock.now();
    const records: JournalRecord[] = bodies.map((body, index) => ({ seq: seq + 1 + index, at, ...body }));
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const after = advance(mark, bytes);
    const next = fold.apply(state, records);
    try {
      writeHead(paths.head, { now: mark, next: after });
      appendDurably(paths.journal, bytes, mark.size);
    } catch (error) {
      signature = null;
      throw storeError('The journal cannot be written', error);
    }
    settleHead(paths.head, after);
    if (mark.size === 0) firstLineBytes = bytes.indexOf('\n') + 1;
    accept(next, { seq: seq + records.length, newer: [] }, after);
  }

  function sealWhenFull(): void {
    // A large state makes a large first record: sealing must stay rare beside it.
    if (mark.size <= (options.segmentBytes ?? SEGMENT_BYTES) + firstLineBytes) return;
    const file = readPlainFile(paths.journal);
    if (file.kind !== 'file' || file.bytes.length !== mark.size) return;
    try {
      sealSegment(paths.segments, file.bytes);
      writeSnapshot(state);
    } catch (error) {
      // The records are safe in the journal, which only grows for now.
      if (!isSystemError(error) && !(error instanceof StoreError)) throw error;
      notice(`The journal could not be sealed and goes on growing: ${error.message}`);
      signature = null;
    }
  }

  function replace(bytes: Buffer): void {
    const reading = readJournalLines(bytes, 0);
    const at = advance(EMPTY_MARK, bytes);
    writeHead(paths.head, { now: at, next: at });
    replaceFile(paths.journal, bytes);
    firstLineBytes = reading.firstLine;
    accept(foldReading(reading), { seq: reading.seq, newer: [] }, at);
  }

  /** While another process runs an attempt, only that process may judge and mend the journal. */
  function isFrozen(): boolean {
    const holder = liveHolder(paths.runLock, options.host);
    return holder !== null && holder.pid !== process.pid;
  }

  function frozenMessage(wrong: string): string {
    return `.ralph/journal.jsonl was changed by something other than ralph (${wrong}) while a run is going on. The run puts it right when its attempt ends: try again then.`;
  }

  return {
    state: () => state,
    mark: () => mark,
    seq: () => seq,
    isCurrent: () => frozen === null && isCurrent(),
    sync,
    append,
    sealWhenFull,
    replace,
    protect: (next) => {
      mend = next;
    },
  };
}
