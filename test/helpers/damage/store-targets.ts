import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../../../src/domain/ports.ts';
import { acquireRunLock, openStore } from '../../../src/store/index.ts';
import { guidance, openTestStore, storeOptions } from '../crash/test-store.ts';
import type { DamageTarget } from './target.ts';

const TEXTS = Array.from({ length: 12 }, (_, number) => `text ${number}`);
const SEGMENT_BYTES = 1500;

/** Returns the files of the store, in a `.ralph` with a journal, sealed segments and all documents. */
export function storeTargets(): DamageTarget[] {
  const template = mkdtempSync(join(tmpdir(), 'ralph-damage-'));
  const place = mkdtempSync(join(tmpdir(), 'ralph-damaged-'));
  const [dir, home] = [join(place, '.ralph'), join(place, 'home')];
  const { store } = openTestStore(dir, home, { segmentBytes: SEGMENT_BYTES });
  for (const text of TEXTS) store.commit(() => [guidance(text)]);
  store.commit(() => [guidance('last')]);
  store.writeViews();
  cpSync(place, template, { recursive: true });
  const all = [...TEXTS, 'last'];
  const outside = join(home, 'main');
  const segment = readdirSync(join(dir, 'journal')).sort().at(-1) ?? '';

  const fresh = (path: string, remove: readonly string[] = []) => {
    rmSync(place, { recursive: true, force: true });
    cpSync(template, place, { recursive: true });
    const original = readFileSync(path);
    for (const other of remove) rmSync(other, { recursive: true, force: true });
    return { path, original };
  };
  /** Opens the store, commits and writes the documents; known records must be there, unless their loss was reported. */
  const reading = (mayTell: boolean) => (): string[] => {
    const reported: string[] = [];
    const opened = openStore(storeOptions(dir, home, { onNotice: (notice) => reported.push(notice) }));
    if (!opened.ok) return opened.message === '' ? ['refused without a word'] : [];
    reported.push(...opened.notices);
    try {
      opened.store.commit(() => [guidance('continues')]);
      opened.store.writeViews();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      reported.push(error.message);
    }
    const texts = opened.store.state.feedback.map(({ text }) => text);
    const lost = all.filter((text) => !texts.includes(text));
    if (lost.length === 0 || (mayTell && reported.length > 0)) return [];
    return [
      `${lost.length} of ${all.length} records are gone${reported.length > 0 ? '' : ' and nothing was told'}`,
    ];
  };
  /** A damaged document beside an intact journal is reported and rebuilt. */
  const view = (name: string): DamageTarget => ({
    file: name,
    fresh: () => fresh(join(dir, name)),
    read: () => {
      const reported: string[] = [];
      const { store: opened, notices } = openTestStore(dir, home, {
        onNotice: (notice) => reported.push(notice),
      });
      try {
        opened.writeViews();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        reported.push(error.message);
      }
      const texts = opened.state.feedback.map(({ text }) => text);
      return [
        ...(all.every((text) => texts.includes(text)) ? [] : ['records are gone']),
        ...(reported.length + notices.length > 0 ? [] : ['nothing was told']),
      ];
    },
  });
  const journalFiles = [join(dir, 'journal.jsonl'), join(dir, 'journal'), home];
  const views = [
    'state.json',
    'metrics.json',
    'interventions/events.json',
    'interventions/profile.json',
    'interventions/feedback.txt',
  ];
  return [
    { file: 'journal.jsonl', fresh: () => fresh(join(dir, 'journal.jsonl')), read: reading(true) },
    {
      file: 'journal.jsonl, copy lost',
      fresh: () => fresh(join(dir, 'journal.jsonl'), [join(outside, 'journal')]),
      read: reading(true),
    },
    { file: 'a sealed segment', fresh: () => fresh(join(dir, 'journal', segment)), read: reading(false) },
    {
      file: 'a sealed segment, journal lost',
      fresh: () => fresh(join(dir, 'journal', segment), [join(dir, 'journal.jsonl')]),
      read: reading(true),
    },
    ...views.map(view),
    ...views.map(
      (name): DamageTarget => ({
        file: `${name}, no journal`,
        fresh: () => fresh(join(dir, name), journalFiles),
        read: reading(true),
      }),
    ),
    {
      file: 'the copy outside of the repository',
      fresh: () => fresh(join(outside, 'journal')),
      read: reading(true),
    },
    {
      file: 'the hashes outside of the repository',
      fresh: () => fresh(join(outside, 'views.json')),
      read: reading(false),
    },
    runLock(place),
  ];
}

/** A damaged lock of a dead process: ralph takes it or reports it as held, but never crashes. */
function runLock(place: string): DamageTarget {
  const path = join(place, 'run.lock');
  const dead = { pid: 2 ** 30, startTime: 'x:1', host: 'test-host', token: 'left', run: 'r-1' };
  return {
    file: 'run.lock',
    fresh: () => {
      for (const name of existsSync(place) ? readdirSync(place) : []) {
        if (name.startsWith('run.lock')) rmSync(join(place, name), { recursive: true, force: true });
      }
      return { path, original: Buffer.from(`${JSON.stringify(dead)}\n`) };
    },
    read: () => {
      try {
        const lock = acquireRunLock(path, { run: 'r-2', host: 'test-host' });
        if (lock.ok) lock.release();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
      return [];
    },
  };
}
