import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestStore, said } from '../../helpers/crash/test-store.ts';
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

function write(...names: string[]): void {
  const { store } = open();
  for (const name of names) store.commit(() => [said(name)]);
}

describe('the journal', () => {
  it('keeps what was committed, numbered without gaps, and tells nothing on a plain reopen', () => {
    write('one', 'two', 'three');
    expect(lines().map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3]);
    const again = open();
    expect(texts(again.store)).toEqual(['one', 'two', 'three']);
    expect(again.notices).toEqual([]);
  });

  it('makes no folder and no file until something is committed', () => {
    const { store } = open();
    expect(existsSync(dir)).toBe(false);
    store.commit(() => []);
    expect(existsSync(journal)).toBe(false);
  });

  it('sees what another process appended', () => {
    const first = open().store;
    const second = open().store;
    first.commit(() => [said('one')]);
    expect(second.refresh().feedback).toHaveLength(1);
    second.commit((state) => [said(`after ${state.seq}`)]);
    first.commit((state) => [said(`after ${state.seq}`)]);
    expect(texts(first)).toEqual(['one', 'after 1', 'after 2']);
  });

  it('sees what another process appended when that one sealed the journal', () => {
    const first = open().store;
    first.commit(() => [said('one')]);
    const second = open(100).store;
    for (let n = 0; n < 40; n += 1) second.commit(() => [said(`other ${n}`)]);
    expect(readdirSync(join(dir, 'journal')).length).toBeGreaterThan(0);
    expect(texts({ ...first, state: first.refresh() })).toEqual(texts(second));
  });

  it('cuts a partial last line off and says so', () => {
    write('one', 'two');
    const bytes = readFileSync(journal);
    truncateSync(journal, bytes.length - 20);
    // As a crash leaves it: the head outside says that two was about to be written.
    rmSync(home, { recursive: true });
    const { store, notices } = open();
    expect(texts(store)).toEqual(['one']);
    expect(notices).toEqual([expect.stringContaining('incomplete')]);
    store.commit(() => [said('three')]);
    expect(texts(open().store)).toEqual(['one', 'three']);
    expect(open().notices).toEqual([]);
  });

  it('completes a last line that only lacks its line end', () => {
    write('one', 'two');
    truncateSync(journal, readFileSync(journal).length - 1);
    const { store, notices } = open();
    store.commit(() => [said('three')]);
    expect(notices).toEqual([]);
    expect(texts(open().store)).toEqual(['one', 'two', 'three']);
  });

  it.each([
    ['no JSON', (all: string[]) => all.with(1, '{"seq":2,"at'), "line 2: it isn't valid JSON"],
    ['another form', (all: string[]) => all.with(1, '{"seq":2,"at":"x","type":"events_reset2"}'), null],
    ['wrong type', (all: string[]) => all.with(1, '{"seq":2,"at":"x","type":"tracker_accepted"}'), 'line 2'],
    ['a missing line', (all: string[]) => all.toSpliced(1, 1), 'the records 2 to 2 are missing'],
    [
      'a damaged number',
      (all: string[]) => all.with(1, (all[1] ?? '').replace('"seq":2', '"seq":92')),
      'line 2',
    ],
    ['a damaged first line', (all: string[]) => all.with(0, 'x'), 'line 1'],
  ])('goes on after damage in the middle: %s', (_, damage, reason) => {
    write('one', 'two', 'three', 'four');
    writeFileSync(journal, `${damage(lines()).join('\n')}\n`);
    const { store, notices } = open();
    const left = texts(store);
    expect(left.slice(-2)).toEqual(['three', 'four']);
    if (reason === null) {
      expect(notices.join()).toContain('newer version');
    } else {
      expect(notices.join()).toContain(reason);
      const aside = readdirSync(dir).filter((name) => name.startsWith('journal.jsonl.damaged-'));
      expect(aside).toHaveLength(1);
      expect(lines().map((line) => JSON.parse(line).type)).toEqual(['state_snapshot', 'document_repaired']);
    }
    store.commit(() => [said('five')]);
    expect(texts(open().store)).toEqual([...left, 'five']);
    expect(open().notices.filter((notice) => !notice.includes('newer version'))).toEqual([]);
  });

  it('tells when something else edited it, and keeps the content', () => {
    write('one', 'two');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('two', 'TWO'));
    const { store, notices } = open();
    expect(notices.join()).toContain('changed by something other than ralph');
    expect(texts(store)).toEqual(['one', 'TWO']);
    expect(JSON.parse(lines().at(-1) ?? '').type).toBe('document_repaired');
    expect(open().notices).toEqual([]);
  });

  it('loses nothing that the documents hold when the journal was cut short', () => {
    const { store } = open();
    store.commit(() => [
      said('one'),
      { type: 'tracker_accepted', reopened: [], opened: null, sha256: 'abc' },
    ]);
    store.writeViews();
    writeFileSync(journal, `${lines()[0]}\n`);
    const again = open();
    expect(again.notices.join()).toContain('shorter than ralph left it');
    expect(again.store.state).toMatchObject({ trackerSha256: 'abc', feedback: [{ text: 'one' }] });
  });

  it('is rebuilt from segments and documents when it was deleted', () => {
    const { store } = open(2000);
    for (let n = 0; n < 30; n += 1) store.commit(() => [said(`n ${n}`)]);
    store.writeViews();
    const before = texts(store);
    rmSync(journal);
    const again = open();
    expect(again.notices.join()).toContain('it was missing');
    expect(texts(again.store)).toEqual(before);
  });

  it('puts its own knowledge back when the file changes under a process that is at work', () => {
    const { store } = open();
    store.commit(() => [said('one'), said('two')]);
    writeFileSync(journal, '');
    store.commit(() => [said('three')]);
    expect(texts(open().store)).toEqual(['one', 'two', 'three']);
  });

  it('seals segments that together hold every record once', () => {
    const { store } = open(1500);
    for (let n = 1; n <= 120; n += 1) store.commit(() => [said(`n ${n}`)]);
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
    for (let n = 1; n <= 20; n += 1) store.commit(() => [said(`n ${n}`)]);
    const before = readFileSync(journal);
    const head = readdirSync(home).map((name) => join(home, name, 'journal.json'))[0] ?? '';
    const headBefore = readFileSync(head);
    open(100).store.commit(() => [said('last')]);
    expect(readdirSync(join(dir, 'journal'))).toEqual(['0001.jsonl.gz']);
    writeFileSync(journal, before);
    writeFileSync(head, headBefore);
    open(100).store.commit(() => [said('last')]);
    expect(readdirSync(join(dir, 'journal'))).toEqual(['0001.jsonl.gz']);
    expect(texts(open().store)).toHaveLength(21);
  });

  it('does not mend while another process runs an attempt, and refuses to write', () => {
    write('one', 'two');
    // Process 1 always lives; its start time is not known to this lock.
    const holder = { pid: 1, startTime: null, host: 'test-host', token: 't', run: 'r-1' };
    writeFileSync(join(dir, 'run.lock'), JSON.stringify(holder));
    const forged = { seq: 3, at: 'x', type: 'events_reset' };
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}${JSON.stringify(forged)}\n`);
    const before = readFileSync(journal);
    const { store } = open();
    expect(store.state.seq).toBe(2);
    expect(() => store.commit(() => [said('three')])).toThrow(
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
