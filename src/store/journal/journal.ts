import { closeSync, constants, fdatasyncSync, fsyncSync, ftruncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBoxedOff } from 'ralph-box/notes';
import { counted } from 'ralph-kit/counted';
import { replaceFile, syncFolder } from 'ralph-kit/files/atomic-file';
import { fileSignature, lstatOrNull, openPlainForWriting, readPlainFile } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { isSystemError, storeError } from 'ralph-kit/files/store-error';
import { StoreError } from '../../domain/ports.ts';
import type { JournalBody, JournalBodyOf, JournalRecord } from '../../domain/records/journal.ts';
import type { State } from '../../domain/records/state.ts';
import { type Key, keepKey, readKey } from '../home/key.ts';
import { liveHolder } from '../lock/lock.ts';
import { setAside } from '../set-aside.ts';
import type { StoreOptions, StorePaths } from '../store-paths.ts';
import { readViewFiles } from '../view-files.ts';
import { beginningOf, type Chain, chained } from './chain.ts';
import {
  BOXED_OFF,
  bestChain,
  checkJournal,
  type Found,
  findJournal,
  MAX_JOURNAL,
  newestEnd,
  unverifiedText,
  whatHappened,
} from './check-journal.ts';
import { appendWithCopy, headOf, readKnownEnd, writeCopy } from './journal-copy.ts';
import { readJournalLines } from './journal-lines.ts';
import type { ChainEnd } from './reaches-end.ts';
import { sealSegment } from './segments.ts';

/** Size in bytes at which a segment is sealed, since every start reads and checks the whole journal. */
const SEGMENT_BYTES = 512 * 1024;
const NOTHING: ChainEnd = { seq: 0, mac: '' };

type SyncMode = 'write' | 'read';
type Unverified = NonNullable<State['journalUnverified']>;

/** Journal file and its fold, as last seen by this process. */
export class Journal {
  readonly #options: StoreOptions;
  readonly #paths: StorePaths;
  readonly #notice: (text: string) => void;
  #key: Key | null = null;
  #state: State;
  #end = NOTHING;
  /** Bytes of the file, and of its first line. */
  #size = 0;
  #firstLineBytes = 0;
  /** `fileSignature` of the file when read; `null` forces a reload. */
  #signature: string | null = null;
  /** Why this process may not write now. */
  #frozen: string | null = null;
  /** An unverified file's first new record begins a new file. */
  #unverified: Unverified | null = null;

  constructor(options: StoreOptions, paths: StorePaths, notice: (text: string) => void) {
    this.#options = options;
    this.#paths = paths;
    this.#notice = notice;
    this.#state = options.fold.empty;
  }

  get state(): State {
    return this.#state;
  }

  get seq(): number {
    return this.#end.seq;
  }

  /** Whether nothing wrote since the file was read. */
  isCurrent(): boolean {
    return this.#frozen === null && this.#isAsRead();
  }

  /** Reads changes in the file. @param mode `write`: under the lock, with repairs; `read`: writes nothing. */
  sync(mode: SyncMode): void {
    if (!this.#isAsRead()) this.#reload(mode);
  }

  /** Appends and folds; only under the lock, after `sync`. @throws StoreError */
  append(bodies: readonly JournalBody[]): void {
    if (bodies.length === 0) return;
    if (this.#frozen !== null) throw new StoreError(this.#frozen);
    if (this.#unverified !== null) {
      const path = setAside(this.#paths.dir, 'journal.jsonl', 'unverified', this.#options.clock.now());
      this.#begin(this.#options.fold.empty, NOTHING, [
        { type: 'journal_unverified', ...this.#unverified, path },
        ...bodies,
      ]);
      return;
    }
    const key = this.#key ?? this.#makeHome();
    const from = this.#end.seq === 0 ? beginningOf(key, this.#paths.place) : this.#end;
    const { records, bytes, end } = this.#write(key, from, bodies);
    const next = this.#options.fold.apply(this.#state, records);
    const size = this.#size;
    const copied = () =>
      appendWithCopy(this.#paths.copy, { bytes, size, head: headOf(key, this.#paths.place, end) }, () =>
        appendDurably(this.#paths.journal, bytes, size),
      );
    try {
      if (!copied()) {
        const before = findJournal(this.#paths, key, null).bytes.subarray(0, size);
        this.#renewCopy(key, from, before);
        if (!copied()) throw new StoreError(`${this.#paths.copy} is changed by something other than ralph.`);
      }
    } catch (error) {
      this.#signature = null;
      throw storeError('The journal cannot be written', error);
    }
    if (size === 0) this.#firstLineBytes = bytes.indexOf('\n') + 1;
    this.#take(next, end, size + bytes.length);
  }

  /** Seals a segment when the journal, without its first record, is large; only under the lock. */
  sealWhenFull(): void {
    if (this.#size <= (this.#options.segmentBytes ?? SEGMENT_BYTES) + this.#firstLineBytes) return;
    const file = readPlainFile(this.#paths.journal);
    if (file.kind !== 'file' || file.bytes.length !== this.#size) return;
    try {
      sealSegment(this.#paths.segments, file.bytes);
      this.#begin(this.#state, this.#end, []);
    } catch (error) {
      // The journal has all records and merely keeps growing.
      if (!isSystemError(error) && !(error instanceof StoreError)) throw error;
      this.#notice(`The journal could not be sealed and keeps growing: ${error.message}`);
      this.#signature = null;
    }
  }

  /** Returns the accepted journal, current or set aside, or `null`. Only under the lock, after `sync`. */
  acceptUnverified(): Unverified | null {
    const { fold } = this.#options;
    const unverified = this.#state.journalUnverified;
    if (unverified === null) return null;
    if (this.#unverified === null) {
      if (unverified.path === null) return null;
      const file = readPlainFile(join(this.#paths.dir, unverified.path), MAX_JOURNAL);
      const old = file.kind === 'file' ? readJournalLines(file.bytes).records : [];
      const done = Object.entries(fold.apply(fold.empty, old).tasks).flatMap(([taskId, { doneBy }]) =>
        doneBy === null ? [] : [{ taskId, doneBy }],
      );
      this.append([{ type: 'journal_accepted', done }]);
      return unverified;
    }
    const { bytes } = findJournal(this.#paths, this.#key, null);
    const old = readJournalLines(bytes);
    sealSegment(this.#paths.segments, bytes.subarray(0, old.size));
    const state = fold.apply(fold.empty, old.records);
    this.#begin(state, { seq: old.seq, mac: '' }, [{ type: 'journal_accepted', done: [] }]);
    return unverified;
  }

  #isAsRead(): boolean {
    const stat = lstatOrNull(this.#paths.journal);
    return stat !== null && this.#signature === fileSignature(stat) && stat.size === BigInt(this.#size);
  }

  #take(next: State, end: ChainEnd, size: number): void {
    this.#state = next;
    this.#end = end;
    this.#size = size;
    this.#frozen = null;
    this.#unverified = null;
    const stat = lstatOrNull(this.#paths.journal);
    this.#signature = stat === null ? null : fileSignature(stat);
  }

  #takeChain(chain: Chain): void {
    for (const type of new Set(chain.newer)) {
      this.#notice(`The journal holds records of a newer version (${type}): they are kept and not used.`);
    }
    const { fold } = this.#options;
    this.#take(fold.apply(fold.empty, chain.records), chain.end, chain.size);
    this.#firstLineBytes = chain.firstLine;
  }

  #reload(mode: SyncMode): void {
    this.#key ??= readKey(this.#options.stateHome);
    const known = readKnownEnd(this.#paths.copy, this.#key, this.#paths.place);
    const seen = this.#end.seq > 0 ? this.#end : null;
    const newest = newestEnd(known, seen);
    const found = findJournal(this.#paths, this.#key, newest);
    const check = checkJournal(found, known, seen);
    if (check.kind === 'unverified') this.#showUnverified(found.bytes, check.reason);
    else if (check.kind === 'damaged') this.#putRight(mode, found, check.reason, newest);
    else if (check.kind === 'whole') {
      this.#takeWhole(mode, found.bytes, found.kind === 'file' ? found.chain : null);
    } else if (mode === 'write') {
      // Documents are imported only when no journal ever existed.
      const imported = this.#options.importViews(readViewFiles(this.#paths.dir));
      for (const note of imported.notes) this.#notice(note);
      this.append(imported.records);
    }
  }

  #takeWhole(mode: SyncMode, bytes: Buffer, chain: Chain | null): void {
    if (chain === null) {
      this.#take(this.#options.fold.empty, NOTHING, bytes.length);
      return;
    }
    if (chain.rest > 0 && mode === 'write') {
      replaceFile(this.#paths.journal, bytes.subarray(0, chain.size), { mode: 0o600 });
      this.#notice(
        `The last record of .ralph/journal.jsonl was incomplete (${chain.rest} bytes of an interrupted write) and was cut off.`,
      );
    }
    this.#takeChain(chain);
    if (chain.rest > 0 && mode === 'read') this.#signature = null;
  }

  #showUnverified(bytes: Buffer, reason: string): void {
    const { fold } = this.#options;
    const { records, seq } = readJournalLines(bytes);
    const found = fold.apply(fold.empty, records);
    const isShown = isBoxedOff(this.#paths.dir);
    const done = Object.values(found.tasks).filter(({ doneBy }) => doneBy !== null).length;
    const unverified = { reason, records: seq, done, path: null };
    if (this.#unverified?.reason !== reason || this.#unverified.records !== seq)
      this.#notice(isShown ? BOXED_OFF : unverifiedText(reason, seq, done));
    const record = { seq: 0, at: '', type: 'journal_unverified', ...unverified } as const;
    this.#take(isShown ? found : fold.apply(fold.empty, [record]), NOTHING, bytes.length);
    this.#unverified = unverified;
  }

  /** Restores as much of ralph's records as possible and keeps the found file. */
  #putRight(mode: SyncMode, found: Found, reason: string, newest: ChainEnd | null): void {
    const { clock, fold } = this.#options;
    const best = this.#key === null ? null : bestChain(this.#paths, this.#key, found.bytes, newest);
    if (mode === 'read' || this.#isFrozen()) {
      if (best !== null) this.#takeChain(best.chain);
      this.#signature = null;
      this.#frozen = `.ralph/journal.jsonl was changed by something other than ralph (${reason}) during a run. The run repairs it when its attempt ends: try again then.`;
      return;
    }
    const aside =
      found.kind === 'absent' ? null : setAside(this.#paths.dir, 'journal.jsonl', 'damaged', clock.now());
    const repaired = { type: 'document_repaired', path: 'journal.jsonl', reason, setAside: aside } as const;
    const last = newest?.seq ?? 0;
    let lost = '';
    if (best?.chain.isWhole === true) {
      replaceFile(this.#paths.journal, best.bytes, { mode: 0o600 });
      this.#takeChain(best.chain);
      this.append([repaired]);
    } else if (this.#end.seq > 0 && this.#end.seq === last) {
      // All of ralph's records were seen by this process.
      this.#begin(this.#state, this.#end, [repaired]);
    } else {
      const kept = best?.chain.seq ?? 0;
      const state = fold.apply(fold.empty, best?.chain.records ?? []);
      const unverified = { reason, records: last - kept, done: 0, path: null };
      this.#begin(state, { seq: last, mac: newest?.mac ?? '' }, [
        repaired,
        { type: 'journal_unverified', ...unverified },
      ]);
      lost = ` ${counted(last - kept, 'record')} of ${last} are lost. What the task list calls done without them waits for you: ralph tasks accept --all`;
    }
    const what = whatHappened(reason);
    const keptAs = aside === null ? '' : ` The file as it was found is kept as .ralph/${aside}.`;
    this.#notice(
      `.ralph/journal.jsonl ${what}.${lost || ` ${counted(last, 'record')} that ralph wrote here ${last === 1 ? 'was' : 'were'} put back.`}${keptAs}`,
    );
  }

  /** Begins a new journal file with a snapshot of the state, continuing the numbers. */
  #begin(state: State, after: ChainEnd, bodies: readonly JournalBody[]): void {
    const key = this.#key ?? this.#makeHome();
    const beginning = beginningOf(key, this.#paths.place);
    const mac = after.mac === '' ? beginning.mac : after.mac;
    const snapshot: JournalBodyOf<'journal_continued'> = { type: 'journal_continued', after: mac, state };
    const { records, bytes, end } = this.#write(key, { seq: after.seq, mac }, [snapshot, ...bodies]);
    try {
      // The copy comes first: a crash then leaves no journal without a recorded end.
      if (lstatOrNull(this.#paths.copy) === null) this.#renewCopy(key, beginning, Buffer.alloc(0));
      replaceFile(this.#paths.journal, bytes, { mode: 0o600 });
      this.#renewCopy(key, end, bytes);
    } catch (error) {
      this.#signature = null;
      throw storeError('The journal cannot be written', error);
    }
    this.#firstLineBytes = bytes.indexOf('\n') + 1;
    this.#take(this.#options.fold.apply(state, records), end, bytes.length);
  }

  #write(key: Key, from: ChainEnd, bodies: readonly JournalBody[]) {
    const at = this.#options.clock.now();
    let { mac } = from;
    const records = bodies.map((body, index): JournalRecord => ({ seq: from.seq + 1 + index, at, ...body }));
    const lines = records.map((record) => {
      const next = chained(key, mac, record);
      mac = next.mac;
      return `${next.line}\n`;
    });
    return { records, bytes: Buffer.from(lines.join('')), end: { seq: from.seq + bodies.length, mac } };
  }

  /** Makes the folder outside the repository with its key. @throws StoreError */
  #makeHome(): Key {
    try {
      this.#options.prepareHome();
      this.#key = keepKey(this.#options.stateHome, this.#key);
      return this.#key;
    } catch (error) {
      throw storeError('What ralph keeps outside of the repository cannot be written', error);
    }
  }

  /** The key may be missing as well. */
  #renewCopy(key: Key, end: ChainEnd, journal: Uint8Array): void {
    this.#makeHome();
    writeCopy(this.#paths.copy, headOf(key, this.#paths.place, end), journal);
  }

  /** During another process's attempt, only that process may repair the journal. */
  #isFrozen(): boolean {
    const holder = liveHolder(this.#paths.runLock, this.#options.host);
    return holder !== null && holder.pid !== process.pid;
  }
}

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/**
 * Appends to a file of `size` bytes and syncs it; a failure restores the old length.
 * @throws The Node error (ENOSPC, EROFS, EACCES, EFBIG, …); StoreError when its folder isn't ralph's.
 */
function appendDurably(path: string, bytes: Uint8Array, size: number): void {
  proveFolder(dirname(path));
  const fd = openPlainForWriting(path, FLAGS, 0o600);
  try {
    try {
      writeFileSync(fd, bytes);
      if (size === 0) fsyncSync(fd);
      else fdatasyncSync(fd);
    } catch (error) {
      ftruncateSync(fd, size);
      throw error;
    }
  } finally {
    closeSync(fd);
  }
  if (size === 0) syncFolder(dirname(path));
}
