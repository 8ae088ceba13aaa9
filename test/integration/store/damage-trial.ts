import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../../src/domain/ports.ts';
import { openStore } from '../../../src/store/index.ts';
import { guidance, openTestStore, storeOptions } from '../../helpers/crash/test-store.ts';

/** Files of the store: under `.ralph/`, or with `home:` in the folder outside of the repository. */
export const TARGETS = [
  'journal.jsonl',
  'state.json',
  'metrics.json',
  'interventions/events.json',
  'interventions/profile.json',
  'interventions/feedback.txt',
  'journal/0001.jsonl.gz',
  'state.lock',
  'run.lock',
  'home:key',
  'home:main/journal',
  'home:main/views.json',
] as const;
export type Target = (typeof TARGETS)[number];

const TEXTS = Array.from({ length: 12 }, (_, number) => `text ${number}`);

export type Template = { readonly root: string; readonly saved: string };

/** A folder with a store that has records, views and a sealed segment, kept to start every trial from. */
export function makeTemplate(folder: string): Template {
  const template = { root: join(folder, 'trial'), saved: join(folder, 'saved') };
  mkdirSync(template.root);
  const { store } = openTestStore(join(template.root, '.ralph'), join(template.root, 'home'), {
    segmentBytes: 1500,
  });
  for (const text of TEXTS) store.commit(() => [guidance(text)]);
  store.writeViews();
  for (const lock of ['state.lock', 'run.lock']) {
    const holder = { pid: 2 ** 30, startTime: null, host: 'test-host', token: 't', run: null };
    writeFileSync(join(template.root, '.ralph', lock), JSON.stringify(holder));
  }
  cpSync(template.root, template.saved, { recursive: true });
  return template;
}

export type Trial = {
  /** Promises that were broken; empty when all is well. */
  readonly wrong: readonly string[];
};

/**
 * Damages one file, then opens the store, commits, writes the views and opens it again. Promised: no error but a
 * `StoreError`, no record lost without a notice, and all is well the next time.
 *
 * @param damage Changes the file at that path.
 */
export function damageTrial(
  { root, saved }: Template,
  target: Target,
  damage: (path: string) => void,
): Trial {
  rmSync(root, { recursive: true, force: true });
  cpSync(saved, root, { recursive: true });
  const dir = join(root, '.ralph');
  const home = join(root, 'home');
  damage(placeOf(root, target));
  const wrong: string[] = [];
  try {
    const opened = openStore(storeOptions(dir, home, { lockWaitMs: 200 }));
    if (!opened.ok) return { wrong: opened.message === '' ? ['refused without a word'] : [] };
    const { store, notices } = opened;
    const texts = textsOf(store);
    // The journal comes back from its copy; without its key or its end it waits to be accepted.
    const mayWait = target === 'home:key' || target === 'home:main/journal';
    if (texts.join() !== TEXTS.join() && !(mayWait && store.acceptJournal() !== null && notices.length > 0))
      wrong.push(`lost: ${TEXTS.length - texts.length} records (${notices.join(' ')})`);
    texts.splice(0, texts.length, ...textsOf(store));
    store.commit(() => [guidance('continues')]);
    store.writeViews();
    const again = openTestStore(dir, home);
    if (again.notices.length > 0) wrong.push(`not settled: ${again.notices.join(' ')}`);
    if (textsOf(again.store).join() !== [...texts, 'continues'].join()) wrong.push('the new record is lost');
    JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8'));
    const left = readdirSync(dir).filter((name) => name.endsWith('.tmp'));
    if (left.length > 0) wrong.push(`left behind: ${left.join()}`);
  } catch (error) {
    // A folder in the place of a lock cannot be taken away; a message says so.
    if (!(error instanceof StoreError) || !/then run the command again|ralph doctor/.test(error.message))
      wrong.push(`threw ${String(error)}`);
  }
  return { wrong };
}

function textsOf(store: { readonly state: { readonly feedback: readonly { text: string }[] } }): string[] {
  return store.state.feedback.map(({ text }) => text);
}

function placeOf(root: string, target: Target): string {
  if (!target.startsWith('home:')) return join(root, '.ralph', target);
  return join(root, 'home', target.slice('home:'.length));
}

const LARGE = 100_000_000;

/** Things that can stand in the place of a file. */
export const PLACES: Readonly<Record<string, (path: string) => void>> = {
  nothing: (path) => clear(path),
  folder: (path) => {
    clear(path);
    mkdirSync(join(path, 'inner'), { recursive: true });
    writeFileSync(join(path, 'inner', 'file'), 'x');
  },
  pipe: (path) => {
    clear(path);
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', path]);
  },
  'link to a device': (path) => {
    clear(path);
    symlinkSync('/dev/zero', path);
  },
  'link to nowhere': (path) => {
    clear(path);
    symlinkSync('nowhere', path);
  },
  'link to itself': (path) => {
    clear(path);
    symlinkSync(path, path);
  },
  'empty file': (path) => writeFileSync(path, ''),
  'large hollow file': (path) => {
    const fd = openSync(path, 'w');
    ftruncateSync(fd, LARGE);
    closeSync(fd);
  },
  'large file of lines': (path) => writeFileSync(path, '{"seq":1}\n'.repeat(LARGE / 10)),
  'large tail of lines': (path) => writeFileSync(path, `\n${'x\n'.repeat(LARGE / 2)}`, { flag: 'a' }),
  'wrong types': (path) => writeFileSync(path, '[{"seq":"1","at":2,"type":{}}]\n'),
  null: (path) => writeFileSync(path, 'null\n'),
};

function clear(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
