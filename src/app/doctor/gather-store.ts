import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { openIncidents } from '../../domain/incident.ts';
import { EMPTY_STATE, type State } from '../../domain/state.ts';
import { namesIn } from '../../io/names-in.ts';
import { findOrphans } from '../../io/proc/index.ts';
import { readPlainFile } from '../../io/store/files/plain-file.ts';
import { liveHolder } from '../../io/store/index.ts';
import { readJournalLines } from '../../io/store/journal/journal-lines.ts';
import { foldSegments } from '../../io/store/journal/segments.ts';
import { LockHolder } from '../../io/store/lock/lock.ts';
import { foldRecords } from '../../state/index.ts';
import type { JournalFacts, LockFacts, StoreFacts } from './facts.ts';

const SET_ASIDE = /\.(damaged|edited)-\d{8}T\d{6}Z(-\d+)?$/;
const DOCUMENTS = ['state.json', 'metrics.json', 'interventions/events.json', 'interventions/profile.json'];
/** Files of `.ralph/runs` that are counted; a folder with more is large enough to say so. */
const MOST_FILES = 200_000;

export type GatheredStore = { readonly facts: StoreFacts; readonly state: State };

/** Looks into `.ralph` without opening the store, which would mend, import and take its lock. */
export function gatherStore(root: string, stateHome: string | null): GatheredStore {
  const dir = join(root, '.ralph');
  const stat = quietly(() => statSync(dir, { throwIfNoEntry: false }), undefined);
  const folder = stat === undefined ? 'absent' : stat.isDirectory() ? 'folder' : 'no_folder';
  const { journal, state } = quietly(() => readJournal(dir), {
    journal: { kind: 'unreadable', reason: 'its folder cannot be read' },
    state: EMPTY_STATE,
  });
  const locks = ['run.lock', 'state.lock'].flatMap((name) => lockFacts(dir, name));
  const running = locks.some(
    ({ name, state: held }) => name === 'run.lock' && held !== 'dead' && held !== 'damaged',
  );
  const open = running ? null : state.openIteration;
  return {
    state,
    facts: {
      dir,
      folder,
      writable: isWritable(folder === 'absent' ? root : dir),
      stateHome:
        stateHome === null ? null : { path: stateHome, writable: isWritable(nearestFolder(stateHome)) },
      freeBytes: quietly(() => freeBytes(root), null),
      locks,
      orphans: running ? [] : quietly(() => findOrphans(root), []),
      journal,
      interrupted:
        open === null ? null : { taskId: open.taskId, iteration: open.iteration, startedAt: open.startedAt },
      incidents: openIncidents(state).map(({ id, summary }) => ({ id, summary })),
      halfRolledBack: running ? null : (state.openRollback?.checkpoint ?? null),
      setAside: ['', 'interventions'].flatMap((sub) =>
        namesIn(join(dir, sub))
          .filter((name) => SET_ASIDE.test(name))
          .map((name) => join(sub, name)),
      ),
      damaged: DOCUMENTS.filter((path) => isDamaged(join(dir, path))),
      runs: runsFacts(join(dir, 'runs')),
    },
  };
}

type ReadJournal = { readonly journal: JournalFacts; readonly state: State };

/** The fold of what can be read, as the store would make it. */
function readJournal(dir: string): ReadJournal {
  const fold = { empty: EMPTY_STATE, apply: foldRecords };
  const segments = () => quietly(() => foldSegments(join(dir, 'journal'), fold), EMPTY_STATE);
  let file: ReturnType<typeof readPlainFile>;
  try {
    file = readPlainFile(join(dir, 'journal.jsonl'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { journal: { kind: 'unreadable', reason }, state: EMPTY_STATE };
  }
  if (file.kind === 'absent') return { journal: { kind: 'absent' }, state: segments() };
  if (file.kind !== 'file') {
    const reason = file.kind === 'link' ? `it is a symbolic link to ${file.target}` : `it is ${file.what}`;
    return { journal: { kind: 'damaged', reason }, state: segments() };
  }
  const reading = readJournalLines(file.bytes, 0);
  const [first] = reading.records;
  const whole = first === undefined || first.seq === 1 || first.type === 'state_snapshot';
  const state = quietly(() => foldRecords(whole ? EMPTY_STATE : segments(), reading.records), EMPTY_STATE);
  return { journal: journalFacts(reading, file.bytes.length), state };
}

function journalFacts(reading: ReturnType<typeof readJournalLines>, bytes: number): JournalFacts {
  const { damage, complete, records, newer } = reading;
  if (damage !== null) return { kind: 'damaged', reason: `line ${damage.line}: ${damage.reason}` };
  if (complete < bytes) return { kind: 'partial', records: records.length, cutBytes: bytes - complete };
  return { kind: 'read', records: records.length, bytes, newer: newer.length };
}

function lockFacts(dir: string, name: string): LockFacts[] {
  const path = join(dir, name);
  return quietly((): LockFacts[] => {
    const file = readPlainFile(path);
    if (file.kind === 'absent') return [];
    const text = file.kind === 'file' ? file.bytes.toString('utf8') : '';
    const parsed = LockHolder.safeParse(quietly(() => JSON.parse(text) as unknown, null));
    if (!parsed.success) return [{ name, state: 'damaged', holder: null }];
    const { pid, host, run } = parsed.data;
    const alive = liveHolder(path, hostname()) !== null;
    const state = host !== hostname() ? 'other_host' : alive ? 'live' : 'dead';
    return [{ name, state, holder: { pid, host, run } }];
  }, []);
}

function isDamaged(path: string): boolean {
  return quietly(() => {
    const file = readPlainFile(path);
    if (file.kind === 'absent') return false;
    if (file.kind !== 'file') return true;
    return quietly(() => typeof JSON.parse(file.bytes.toString('utf8')) !== 'object', true);
  }, false);
}

function runsFacts(folder: string): StoreFacts['runs'] {
  let bytes = 0;
  let left = MOST_FILES;
  const walk = (at: string): void => {
    for (const entry of quietly(() => readdirSync(at, { withFileTypes: true }), [])) {
      if (left <= 0) return;
      left -= 1;
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) bytes += quietly(() => statSync(path).size, 0);
    }
  };
  walk(folder);
  return { count: namesIn(folder).length, bytes };
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function isWritable(path: string): boolean {
  return quietly(() => {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  }, false);
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** The doctor looks at broken things: what cannot be read is told by other means. */
export function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
