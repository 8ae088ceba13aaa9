import { appendFileSync, truncateSync } from 'node:fs';
import { StoreError } from '../../../domain/ports.ts';
import type { JournalBody, JournalRecord } from '../../../domain/records/journal.ts';
import type { State } from '../../../domain/records/state.ts';
import { replaceFile } from '../files/atomic-file.ts';
import { fileSignature, lstatOrNull, readPlainFile } from '../files/plain-file.ts';
import { setAside } from '../files/set-aside.ts';
import { isLastWritten, readViewFiles } from '../files/view-files.ts';
import { liveHolder } from '../lock/lock.ts';
import type { StoreOptions } from '../open-options.ts';
import { isSystemError, storeError } from '../store-error.ts';
import type { StorePaths } from '../store-paths.ts';
import { appendDurably } from './append-durably.ts';
import { notPlain, problemOf, readJournalFile, vouchedPart } from './journal-check.ts';
import {
  advance,
  EMPTY_MARK,
  isExpected,
  type JournalHead,
  type Mark,
  readHead,
  settleHead,
  standsAt,
  writeHead,
} from './journal-head.ts';
import { isCompleteRecord, type JournalReading, readJournalLines } from './journal-lines.ts';
import { foldSegments, listSegments, sealSegment } from './segments.ts';

/** Journal bytes at which a segment is sealed: as much as every start has to read and check. */
const SEGMENT_BYTES = 512 * 1024;

type SyncMode = 'write' | 'read';

/** The journal file with its fold, as this process last saw it. */
export class Journal {
  readonly #options: StoreOptions;
  readonly #paths: StorePaths;
  readonly #notice: (text: string) => void;
  #state: State;
  #seq = 0;
  #mark = EMPTY_MARK;
  #firstLineBytes = 0;
  /** `fileSignature` of the file as it was read; `null`: look again. */
  #signature: string | null = null;
  /** Why this process may not write for now. */
  #frozen: string | null = null;
  #putRight: (() => void) | null = null;

  constructor(options: StoreOptions, paths: StorePaths, notice: (text: string) => void) {
    this.#options = options;
    this.#paths = paths;
    this.#notice = notice;
    this.#state = options.fold.empty;
  }

  get state(): State {
    return this.#state;
  }

  get mark(): Mark {
    return this.#mark;
  }

  /** Number of the last record. */
  get seq(): number {
    return this.#seq;
  }

  /** Nothing wrote since the file was read. */
  isCurrent(): boolean {
    return this.#frozen === null && this.#isAsRead();
  }

  /**
   * Reads what is in the file by now.
   *
   * @param mode `write`: under the lock, and what is wrong is fixed; `read`: nothing is written.
   */
  sync(mode: SyncMode): void {
    if (!this.#isAsRead()) this.#reload(mode);
  }

  /** Called instead of the repair when the file is not what it must be; the file is right afterwards. */
  protect(putRight: (() => void) | null): void {
    this.#putRight = putRight;
  }

  /** Appends and folds. Only under the lock, after a `sync`. @throws StoreError */
  append(bodies: readonly JournalBody[]): void {
    if (bodies.length === 0) return;
    if (this.#frozen !== null) throw new StoreError(this.#frozen);
    const { clock, fold } = this.#options;
    const at = clock.now();
    const records: JournalRecord[] = bodies.map((body, index) => ({
      seq: this.#seq + 1 + index,
      at,
      ...body,
    }));
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const after = advance(this.#mark, bytes);
    const next = fold.apply(this.#state, records);
    try {
      writeHead(this.#paths.head, { now: this.#mark, next: after });
      appendDurably(this.#paths.journal, bytes, this.#mark.size);
    } catch (error) {
      this.#signature = null;
      throw storeError('The journal cannot be written', error);
    }
    settleHead(this.#paths.head, after);
    if (this.#mark.size === 0) this.#firstLineBytes = bytes.indexOf('\n') + 1;
    this.#accept(next, { seq: this.#seq + records.length, newer: [] }, after);
  }

  /** Seals a segment when the journal is large. Only under the lock. */
  sealWhenFull(): void {
    // A large state makes a large first record: sealing must stay rare beside it.
    if (this.#mark.size <= (this.#options.segmentBytes ?? SEGMENT_BYTES) + this.#firstLineBytes) return;
    const file = readPlainFile(this.#paths.journal);
    if (file.kind !== 'file' || file.bytes.length !== this.#mark.size) return;
    try {
      sealSegment(this.#paths.segments, file.bytes);
      this.#writeSnapshot(this.#state);
    } catch (error) {
      // The records are safe in the journal, which only grows for now.
      if (!isSystemError(error) && !(error instanceof StoreError)) throw error;
      this.#notice(`The journal could not be sealed and keeps growing: ${error.message}`);
      this.#signature = null;
    }
  }

  /** Makes these bytes, which end in a line end, the journal. Only under the lock. */
  replace(bytes: Buffer): void {
    const reading = readJournalLines(bytes);
    const at = advance(EMPTY_MARK, bytes);
    writeHead(this.#paths.head, { now: at, next: at });
    replaceFile(this.#paths.journal, bytes);
    this.#firstLineBytes = reading.firstLine;
    this.#accept(this.#fold(reading), { seq: reading.seq, newer: [] }, at);
  }

  #isAsRead(): boolean {
    const stat = lstatOrNull(this.#paths.journal);
    return stat !== null && this.#signature === fileSignature(stat) && stat.size === BigInt(this.#mark.size);
  }

  #accept(next: State, reading: Pick<JournalReading, 'seq' | 'newer'>, at: Mark): void {
    for (const type of new Set(reading.newer)) {
      this.#notice(`The journal holds records of a newer version (${type}): they are kept and not used.`);
    }
    this.#state = next;
    this.#seq = Math.max(reading.seq, next.seq);
    this.#mark = at;
    this.#frozen = null;
    const stat = lstatOrNull(this.#paths.journal);
    this.#signature = stat === null ? null : fileSignature(stat);
  }

  #reload(mode: SyncMode): void {
    const head = readHead(this.#paths.head);
    const file = readJournalFile(this.#paths.journal, head);
    if (file.kind !== 'file') {
      this.#reloadMissing(mode, file.kind === 'absent' ? null : notPlain(file));
      return;
    }
    const reading = readJournalLines(file.bytes);
    const end = advance(EMPTY_MARK, file.bytes.subarray(0, reading.complete));
    const rest = file.bytes.subarray(reading.complete);
    this.#firstLineBytes = reading.firstLine;
    const wrong = file.tooLarge ?? problemOf(reading, end, head, rest);
    if (mode === 'read' || (wrong !== null && this.#isFrozen())) {
      this.#show(wrong === null ? file.bytes : vouchedPart(file.bytes, head), wrong);
    } else if (wrong !== null && this.#putRight !== null) {
      this.#putRight();
      this.#reload(mode);
    } else if (wrong !== null && this.#seq > 0 && head !== null && isExpected(this.#mark, head)) {
      // This process has seen all that ralph wrote: its state is the truth.
      this.#startAnew(this.#state, wrong, true, []);
    } else if (wrong !== null && (reading.damage !== null || file.tooLarge !== null)) {
      this.#startAnew(this.#fold(reading), wrong, true, this.#newerViews(reading.seq));
    } else if (rest.length > 0 && isCompleteRecord(rest)) {
      appendFileSync(this.#paths.journal, '\n');
      this.#reload(mode);
    } else if (rest.length > 0 && !isCrash(file.bytes, end, head)) {
      const views = this.#newerViews(reading.seq);
      this.#startAnew(this.#fold(reading), 'its last line is incomplete', true, views);
    } else {
      if (rest.length > 0) this.#cutOff(rest, end);
      this.#accept(this.#fold(reading), reading, end);
      if (wrong === null) return;
      this.#notice(`.ralph/journal.jsonl: ${wrong}. Its records were kept.`);
      this.append([repaired(wrong, null), ...this.#newerViews(reading.seq)]);
    }
  }

  /** Takes in what can be read without writing. */
  #show(bytes: Buffer, wrong: string | null): void {
    const reading = readJournalLines(bytes);
    this.#accept(this.#fold(reading), reading, advance(EMPTY_MARK, bytes.subarray(0, reading.complete)));
    this.#signature = null;
    this.#frozen = wrong === null ? null : frozenMessage(wrong);
  }

  #cutOff(rest: Buffer, end: Mark): void {
    truncateSync(this.#paths.journal, end.size);
    this.#notice(
      `The last record of .ralph/journal.jsonl was incomplete (${rest.length} bytes of an interrupted write) and was cut off.`,
    );
  }

  #reloadMissing(mode: SyncMode, blocker: string | null): void {
    const { fold, importViews } = this.#options;
    const { segments, dir } = this.#paths;
    if (mode === 'read') {
      if (this.#seq === 0) this.#state = foldSegments(segments, fold);
      return;
    }
    const known = this.#seq > 0 || listSegments(segments).length > 0;
    const wrong = blocker ?? 'it was missing';
    if ((known || blocker !== null) && this.#isFrozen()) {
      this.#frozen = frozenMessage(wrong);
      return;
    }
    if (known && this.#putRight !== null) {
      this.#putRight();
      this.#reload(mode);
      return;
    }
    const base = this.#seq > 0 ? this.#state : foldSegments(segments, fold);
    if (known || blocker !== null) {
      const views = this.#seq > 0 ? [] : this.#newerViews(base.seq);
      this.#startAnew(base, wrong, blocker !== null, views);
      return;
    }
    this.#state = base;
    this.#mark = EMPTY_MARK;
    const imported = importViews(readViewFiles(dir));
    for (const note of imported.notes) this.#notice(note);
    this.append(imported.records);
  }

  /** What the documents, as ralph left them, hold beyond a journal that lost records. */
  #newerViews(since: number): JournalBody[] {
    const files = readViewFiles(this.#paths.dir).filter((file) =>
      isLastWritten(this.#paths.viewHashes, file.path, Buffer.from(file.text)),
    );
    const { records } = this.#options.importViews(files);
    return records.filter((record) => record.type === 'imported' && (record.state?.seq ?? 0) >= since);
  }

  /** A journal that continues a segment which it does not name begins with the fold of the segments. */
  #fold(reading: JournalReading): State {
    const { fold } = this.#options;
    const first = reading.records[0];
    const whole = first === undefined || first.seq === 1 || first.type === 'state_snapshot';
    const base = whole && reading.damage?.line !== 1 ? fold.empty : foldSegments(this.#paths.segments, fold);
    return fold.apply(
      base,
      reading.records.filter((record) => record.seq > base.seq),
    );
  }

  /** A new journal that begins with the state; the old file, where there is one, is kept under another name. */
  #startAnew(base: State, reason: string, keep: boolean, records: readonly JournalBody[]): void {
    const now = this.#options.clock.now();
    const aside = keep ? setAside(this.#paths.dir, 'journal.jsonl', 'damaged', now) : null;
    const known = records.map((record) => (record.type === 'imported' ? (record.state?.seq ?? 0) : 0));
    this.#seq = Math.max(this.#seq, base.seq, ...known);
    this.#writeSnapshot(base);
    const kept = aside === null ? '' : ` The file as it was is kept as .ralph/${aside}.`;
    this.#notice(`.ralph/journal.jsonl was rebuilt: ${reason}.${kept}`);
    this.append([repaired(reason, aside), ...records]);
  }

  #writeSnapshot(next: State): void {
    const { clock, fold } = this.#options;
    const record = { seq: this.#seq + 1, at: clock.now(), type: 'state_snapshot', state: next } as const;
    const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
    const after = advance(EMPTY_MARK, bytes);
    try {
      writeHead(this.#paths.head, { now: this.#mark, next: after });
      replaceFile(this.#paths.journal, bytes);
    } catch (error) {
      throw storeError('The journal cannot be written', error);
    }
    settleHead(this.#paths.head, after);
    this.#firstLineBytes = bytes.length;
    this.#accept(fold.apply(next, [record]), { seq: record.seq, newer: [] }, after);
  }

  /** While another process runs an attempt, only that process may judge and repair the journal. */
  #isFrozen(): boolean {
    const holder = liveHolder(this.#paths.runLock, this.#options.host);
    return holder !== null && holder.pid !== process.pid;
  }
}

/** A write that was cut off explains an incomplete last line. */
function isCrash(bytes: Buffer, end: Mark, head: JournalHead | null): boolean {
  return head === null || (standsAt(end, head.now) && bytes.length <= head.next.size);
}

function repaired(reason: string, aside: string | null): JournalBody {
  return { type: 'document_repaired', path: 'journal.jsonl', reason, setAside: aside };
}

function frozenMessage(wrong: string): string {
  return `.ralph/journal.jsonl was changed by something other than ralph (${wrong}) during a run. The run repairs it when its attempt ends: try again then.`;
}
