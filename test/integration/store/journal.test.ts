import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { guidance, NOW, openTestStore } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let root: string;
let dir: string;
let home: string;
let journal: string;

beforeEach(() => {
  root = temporaryFolder();
  dir = join(root, '.ralph');
  home = join(root, 'home');
  journal = join(dir, 'journal.jsonl');
});

const open = (segmentBytes = 1024 * 1024) => openTestStore(dir, home, { segmentBytes });
const texts = (store: ReturnType<typeof open>['store']) => store.state.feedback.map((entry) => entry.text);
const lines = () => readFileSync(journal, 'utf8').trimEnd().split('\n');

const copy = () => join(home, 'main', 'journal');
const renumbered = (line: string | undefined, seq: number) =>
  (line ?? '').replace(/"seq":\d+/, `"seq":${seq}`);

function write(...names: string[]): void {
  const { store } = open();
  for (const name of names) store.commit(() => [guidance(name)]);
}

describe('the journal', () => {
  it('keeps what was committed, numbered without gaps, and reports nothing on a plain reopen', () => {
    write('one', 'two', 'three');
    expect(lines().map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3]);
    const again = open();
    expect(texts(again.store)).toEqual(['one', 'two', 'three']);
    expect(again.notices).toEqual([]);
  });

  it('makes no folder and no file until something is committed', () => {
    const { store } = openTestStore(dir, home, { ignoreRules: '*\n' });
    expect(existsSync(dir)).toBe(false);
    store.commit(() => []);
    expect(existsSync(journal)).toBe(false);
    // Locks of runs are taken before the first record is written.
    expect(existsSync(join(dir, '.gitignore'))).toBe(true);
  });

  it('sees what another process appended', () => {
    const first = open().store;
    const second = open().store;
    first.commit(() => [guidance('one')]);
    expect(second.refresh().feedback).toHaveLength(1);
    second.commit((state) => [guidance(`after ${state.seq}`)]);
    first.commit((state) => [guidance(`after ${state.seq}`)]);
    expect(texts(first)).toEqual(['one', 'after 1', 'after 2']);
  });

  it('sees what another process appended when that one sealed the journal', () => {
    const first = open().store;
    first.commit(() => [guidance('one')]);
    const second = open(100).store;
    for (let n = 0; n < 40; n += 1) second.commit(() => [guidance(`other ${n}`)]);
    expect(readdirSync(join(dir, 'journal')).length).toBeGreaterThan(0);
    expect(texts({ ...first, state: first.refresh() })).toEqual(texts(second));
  });

  it('cuts a partial last line off and says so', () => {
    write('one', 'two');
    appendFileSync(journal, '{"seq":3,"at":"2026');
    const { store, notices } = open();
    expect(texts(store)).toEqual(['one', 'two']);
    expect(notices).toEqual([expect.stringContaining('incomplete')]);
    store.commit(() => [guidance('three')]);
    expect(texts(open().store)).toEqual(['one', 'two', 'three']);
    expect(open().notices).toEqual([]);
  });

  it('is for its owner alone, and so are its key and its copy', () => {
    write('one');
    open(10).store.commit(() => [guidance('sealed')]);
    const modes = [journal, join(dir, 'journal', '0001.jsonl.gz'), join(home, 'key'), copy()].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  });

  const edits: [string, (all: string[]) => string[], RegExp][] = [
    ['no JSON', (all) => all.with(1, '{"seq":2,"at'), /line 2: it isn't valid JSON/],
    [
      'a word',
      (all) => all.with(1, (all[1] ?? '').replace('two', 'TWO')),
      /line 2: it wasn't written by ralph/,
    ],
    ['a code', (all) => all.with(1, (all[1] ?? '').replace(/.{4}"}$/, '0000"}')), /line 2: it wasn't/],
    ['no code', (all) => all.with(1, (all[1] ?? '').replace(/,"mac".*$/, '}')), /line 2: it wasn't/],
    ['a record taken out', (all) => all.toSpliced(1, 1), /line 2: record 3 stands where 2 belongs/],
    ['two records changed over', (all) => [all[0], all[2], all[1], all[3]].map(String), /line 2/],
    ['one said twice', (all) => all.toSpliced(2, 0, all[1] ?? ''), /line 3/],
    ['one appended', (all) => [...all, renumbered(all[3], 5)], /line 5: it wasn't written by ralph/],
    ['the end cut off', (all) => all.slice(0, 2), /it ends at record 2, and ralph had written 4/],
    ['emptied', () => [], /it ends at record 0/],
  ];
  it.each(edits)('is put right when it was edited: %s', (_, edit, reason) => {
    write('one', 'two', 'three', 'four');
    const edited = edit(lines()).map((line) => `${line}\n`);
    writeFileSync(journal, edited.join(''));
    const { store, notices } = open();
    expect(texts(store)).toEqual(['one', 'two', 'three', 'four']);
    expect(notices.join()).toMatch(reason);
    const aside = readdirSync(dir).filter((name) => name.startsWith('journal.jsonl.damaged-'));
    expect(aside.map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual([edited.join('')]);
    expect(JSON.parse(lines().at(-1) ?? '').type).toBe('document_repaired');
    store.commit(() => [guidance('five')]);
    expect(texts(open().store)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(open().notices).toEqual([]);
  });

  it.each(edits)('counts as far as it is right where its copy is lost, too: %s', (_, edit) => {
    write('one', 'two', 'three', 'four');
    writeFileSync(
      journal,
      edit(lines())
        .map((line) => `${line}\n`)
        .join(''),
    );
    truncateSync(copy(), 256);
    const { store, notices } = open();
    const left = texts(store);
    expect(['one', 'two', 'three', 'four'].slice(0, left.length)).toEqual(left);
    if (left.length < 4) {
      expect(notices.join()).toContain(`${4 - left.length} record`);
      expect(store.state.journalUnverified).toMatchObject({ records: 4 - left.length, path: null });
    }
    store.commit(() => [guidance('five')]);
    expect(texts(open().store)).toEqual([...left, 'five']);
    expect(open().notices).toEqual([]);
  });

  it.each(['deleted', 'a folder', 'an older one'])('comes back when it is %s', (what) => {
    write('one');
    const older = readFileSync(journal);
    write('two');
    rmSync(journal);
    if (what === 'a folder') mkdirSync(journal);
    if (what === 'an older one') writeFileSync(journal, older);
    const { store, notices } = open();
    expect(texts(store)).toEqual(['one', 'two']);
    expect(notices).toEqual([
      expect.stringMatching(
        /(was (missing|changed)|isn't from here).*2 records that ralph wrote here were put back/,
      ),
    ]);
    expect(open().notices).toEqual([]);
  });

  it("that is gone with its copy isn't a first import: what was done waits", () => {
    write('one', 'two');
    open().store.writeViews();
    rmSync(journal);
    truncateSync(copy(), 256);
    const { store, notices } = open();
    expect(notices.join()).toMatch(/was missing. 2 records of 2 are lost.*ralph tasks accept/);
    expect(store.state).toMatchObject({ feedback: [], journalUnverified: { records: 2 } });
  });

  it.each(['gone', 'emptied'])(
    'that is %s, without a copy, begins anew from the documents, with a notice',
    (what) => {
      write('one', 'two');
      open().store.writeViews();
      rmSync(journal);
      if (what === 'emptied') writeFileSync(journal, '');
      rmSync(copy());
      const { store, notices } = open();
      expect(notices.join()).toContain('state.json');
      store.commit(() => [guidance('three')]);
      expect(texts(open().store)).toContain('three');
      expect(open().notices).toEqual([]);
    },
  );

  it('of before is not believed when it comes back after a repair', () => {
    write('one', 'two', 'three');
    const older = readFileSync(journal);
    writeFileSync(journal, `${lines()[0]}\n`);
    truncateSync(copy(), 256);
    open().store.commit(() => [guidance('other')]);
    writeFileSync(journal, older);
    const { store, notices } = open();
    expect(notices.join()).toContain('was changed');
    expect(texts(store)).toEqual(['one', 'other']);
  });

  it('puts its own knowledge back when the file changes under a process that is at work', () => {
    const { store } = open();
    store.commit(() => [guidance('one'), guidance('two')]);
    writeFileSync(journal, '');
    rmSync(home, { recursive: true });
    store.commit(() => [guidance('three')]);
    expect(texts(open().store)).toEqual(['one', 'two', 'three']);
  });

  it('seals segments that together hold every record once', () => {
    const { store } = open(1500);
    for (let n = 1; n <= 120; n += 1) store.commit(() => [guidance(`n ${n}`)]);
    const names = readdirSync(join(dir, 'journal')).sort();
    expect(names.length).toBeGreaterThan(2);
    const sealed = names.flatMap((name) =>
      gunzipSync(readFileSync(join(dir, 'journal', name)))
        .toString()
        .trimEnd()
        .split('\n'),
    );
    const seqs = [...sealed, ...lines()].map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(texts(open().store)).toEqual(texts(store));
  });

  it('seals once more, not twice, when a crash came between the segment and the new journal', () => {
    const { store } = open(1e9);
    for (let n = 1; n <= 20; n += 1) store.commit(() => [guidance(`n ${n}`)]);
    const before = readFileSync(journal);
    const copyBefore = readFileSync(copy());
    open(100).store.commit(() => [guidance('last')]);
    expect(readdirSync(join(dir, 'journal'))).toEqual(['0001.jsonl.gz']);
    writeFileSync(journal, before);
    writeFileSync(copy(), copyBefore);
    open(100).store.commit(() => [guidance('last')]);
    expect(readdirSync(join(dir, 'journal'))).toEqual(['0001.jsonl.gz']);
    expect(texts(open().store)).toHaveLength(21);
  });

  it('does not repair while another process runs an attempt, and refuses to write', () => {
    write('one', 'two');
    // Process 1 always lives; its start time is not known to this lock.
    const holder = { pid: 1, startTime: null, host: 'test-host', token: 't', run: 'r-1' };
    writeFileSync(join(dir, 'run.lock'), JSON.stringify(holder));
    const forged = { seq: 3, at: 'x', type: 'lesson_dropped', key: 'x' };
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}${JSON.stringify(forged)}\n`);
    const before = readFileSync(journal);
    const { store } = open();
    expect(store.state.seq).toBe(2);
    expect(() => store.commit(() => [guidance('three')])).toThrow(
      /by something other than ralph .* during a run/,
    );
    expect(readFileSync(journal).equals(before)).toBe(true);
  });

  it('removes what a dead process left between a temporary file and its rename', () => {
    mkdirSync(dir, { recursive: true });
    const old = join(dir, `.state.json.ralph-${2 ** 30}-0123456789ab.tmp`);
    writeFileSync(old, 'x', { flag: 'w' });
    utimesSync(old, 1, 1);
    const own = join(dir, `.state.json.ralph-${process.pid}-0123456789ab.tmp`);
    writeFileSync(own, 'x');
    open();
    expect([existsSync(old), existsSync(own)]).toEqual([false, true]);
  });
});

describe('a journal without its key', () => {
  const foreign = () => {
    write('one', 'two');
    const done = { kind: 'verdict', title: 't', run: 'r-1', iteration: 1, at: NOW } as const;
    open().store.commit(() => [{ type: 'journal_accepted', done: [{ taskId: 'T-1', doneBy: done }] }]);
    rmSync(home, { recursive: true });
  };

  it('is told and left in its place, and nothing that it says counts', () => {
    foreign();
    const before = readFileSync(journal);
    const { store, notices } = open();
    expect(notices).toEqual([
      expect.stringMatching(
        /isn't verified: its key isn't here: another .* Its 3 records and 1 done task don't count yet.*trust --journal/,
      ),
    ]);
    expect(store.state).toMatchObject({ tasks: {}, journalUnverified: { records: 3, done: 1, path: null } });
    expect(readFileSync(journal).equals(before)).toBe(true);
    expect(existsSync(home)).toBe(false);
  });

  it('counts once it is accepted, and continues', () => {
    foreign();
    expect(open().store.acceptJournal()).toMatchObject({ records: 3, done: 1 });
    const { store, notices } = open();
    expect(notices).toEqual([]);
    expect(texts(store)).toEqual(['one', 'two']);
    expect(store.state).toMatchObject({
      journalUnverified: null,
      tasks: { 'T-1': { doneBy: { run: 'r-1' } } },
    });
    expect(lines().map((line) => JSON.parse(line).seq)).toEqual([4, 5]);
    expect(readdirSync(join(dir, 'journal'))).toEqual(['0001.jsonl.gz']);
    expect(store.acceptJournal()).toBeNull();
  });

  it('is put aside when work continues without it, and can still be accepted', () => {
    foreign();
    open().store.commit(() => [guidance('three')]);
    const { store, notices } = open();
    expect(notices).toEqual([]);
    expect(store.state).toMatchObject({ tasks: {}, journalUnverified: { done: 1 } });
    expect(texts(store)).toEqual(['three']);
    expect(store.acceptJournal()).toMatchObject({ done: 1 });
    expect(open().store.state).toMatchObject({
      journalUnverified: null,
      tasks: { 'T-1': { doneBy: { run: 'r-1' } } },
      feedback: [{ text: 'three' }],
    });
  });

  it('of another repository does not take the place of the own one', () => {
    write('one');
    mkdirSync(join(root, 'other'));
    const other = openTestStore(join(root, 'other', '.ralph'), join(root, 'other-home')).store;
    other.commit(() => [guidance('x'), guidance('y')]);
    writeFileSync(journal, readFileSync(join(root, 'other', '.ralph', 'journal.jsonl')));
    const { store, notices } = open();
    expect(notices.join()).toContain('it was written with another key');
    expect(texts(store)).toEqual(['one']);
  });

  it.each([
    [
      'its end is forged',
      () => writeFileSync(copy(), readFileSync(copy(), 'latin1').replace('"seq":2', '"seq":1')),
    ],
    ['its end is gone', () => rmSync(copy())],
  ])('is not verified either when %s', (_, spoil) => {
    write('one', 'two');
    spoil();
    const { store, notices } = open();
    expect(notices.join()).toContain("isn't verified");
    expect(store.state.journalUnverified).toMatchObject({ records: 2 });
    expect(store.acceptJournal()).not.toBeNull();
    expect(texts(open().store)).toEqual(['one', 'two']);
  });
});
