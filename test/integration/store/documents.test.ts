import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveEvents, openStore } from '../../../src/store/index.ts';
import { bundle } from '../../helpers/bundle.ts';
import { guidance, NOW, openTestStore, storeOptions } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let root: string;
let dir: string;
let home: string;

beforeEach(() => {
  root = temporaryFolder();
  dir = join(root, '.ralph');
  home = join(root, 'home');
});

const open = () => openTestStore(dir, home);
const text = (path: string) => readFileSync(join(dir, path), 'utf8');

describe('writeFileAtomic', () => {
  it('replaces content, keeps the mode, and leaves nothing else', () => {
    const path = join(root, 'a.md');
    writeFileSync(path, 'old');
    chmodSync(path, 0o640);
    writeFileAtomic(path, 'new');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
    writeFileAtomic(path, Buffer.from([0, 255]), { mode: 0o600 });
    expect([[...readFileSync(path)], statSync(path).mode & 0o777]).toEqual([[0, 255], 0o600]);
    expect(readdirSync(root)).toEqual(['a.md']);
  });

  it('writes the target of a symlink, also of one that leads nowhere yet', () => {
    mkdirSync(join(root, 'sub'));
    symlinkSync('sub/target', join(root, 'link'));
    writeFileAtomic(join(root, 'link'), 'one');
    expect(readFileSync(join(root, 'sub/target'), 'utf8')).toBe('one');
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['a folder in the way', 'taken', 'EISDIR'],
    ['a missing folder', 'missing/file', 'ENOENT'],
  ])('leaves no temporary file behind: %s', (_, path, code) => {
    mkdirSync(join(root, 'taken'));
    expect(() => writeFileAtomic(join(root, path), 'x')).toThrow(expect.objectContaining({ code }));
    expect(readdirSync(root)).toEqual(['taken']);
  });
});

describe('views', () => {
  it('are written from the state and not touched when nothing changed', () => {
    const { store } = open();
    store.commit(() => [guidance('one')]);
    store.writeViews();
    expect(readdirSync(dir).sort()).toEqual([
      'interventions',
      'journal.jsonl',
      'lessons.json',
      'metrics.json',
      'state.json',
    ]);
    expect(JSON.parse(text('state.json'))).toMatchObject({ $schema: 'ralph.state.v1', seq: 1 });
    const written = () => {
      const { ino, mtimeNs, ctimeNs } = lstatSync(join(dir, 'state.json'), { bigint: true });
      return { ino, mtimeNs, ctimeNs };
    };
    const before = written();
    store.writeViews();
    expect(written()).toEqual(before);
  });

  it('take a hundredth of the time at most where they are written on the way', () => {
    let ms = 0;
    const clock = { now: () => NOW, monotonicMs: () => ms++ };
    const { store } = openTestStore(dir, home, { clock });
    const seqAt = (time: number) => {
      ms = time;
      store.commit(() => [guidance(`at ${time}`)]);
      store.writeViews('if_due');
      return JSON.parse(text('state.json')).seq;
    };
    expect([seqAt(0), seqAt(100), seqAt(102), seqAt(110)]).toEqual([1, 1, 3, 3]);
    store.writeViews();
    expect(JSON.parse(text('state.json')).seq).toBe(4);
  });

  it('are rebuilt when someone edited them, and the edited one is kept and told', () => {
    const notices: string[] = [];
    const { store } = openTestStore(dir, home, { onNotice: (notice) => notices.push(notice) });
    store.commit(() => [guidance('one')]);
    store.writeViews();
    writeFileSync(join(dir, 'state.json'), 'mine');
    store.writeViews();
    expect(notices).toEqual([expect.stringContaining('state.json: it had been edited; rebuilt')]);
    expect(text('state.json.edited-20260120T203500Z')).toBe('mine');
    expect(JSON.parse(text('state.json')).seq).toBe(2);
    store.writeViews();
    expect(notices).toHaveLength(1);
  });

  it("aren't an edit when they are merely older than the journal", () => {
    const { store } = open();
    store.commit(() => [guidance('one')]);
    store.writeViews();
    store.commit(() => [guidance('two')]);
    const notices: string[] = [];
    const again = openTestStore(dir, home, { onNotice: (notice) => notices.push(notice) });
    again.store.writeViews();
    expect([...again.notices, ...notices]).toEqual([]);
    expect(JSON.parse(text('state.json')).feedback).toHaveLength(2);
  });

  it('come back when they were deleted', () => {
    const { store } = open();
    store.commit(() => [guidance('one')]);
    store.writeViews();
    rmSync(join(dir, 'interventions'), { recursive: true });
    store.writeViews();
    expect(readdirSync(join(dir, 'interventions')).sort()).toEqual([
      'events.json',
      'feedback.txt',
      'profile.json',
    ]);
  });

  it('of ralph-gold are taken over once and kept', () => {
    mkdirSync(join(dir, 'interventions'), { recursive: true });
    const old = {
      task_attempts: { '1': 2 },
      blocked_tasks: { '2': { reason: 'timeout after 900s' } },
      history: [],
    };
    writeFileSync(join(dir, 'state.json'), JSON.stringify(old));
    writeFileSync(join(dir, 'interventions/events.json'), 'damaged');
    const { store, notices } = open();
    expect(store.state.tasks['1']?.attempts).toHaveLength(2);
    expect(store.state.tasks['2']?.blocked?.reason).toBe('timeout');
    expect(notices.join('\n')).toContain('taken over from ralph-gold');
    expect(notices.join('\n')).toContain('events.json was not taken over');
    store.writeViews();
    expect(JSON.parse(text('state.json.found-20260120T203500Z'))).toEqual(old);
    expect(text('interventions/events.json.found-20260120T203500Z')).toBe('damaged');
    expect(open().notices).toEqual([]);
    expect(open().store.state.tasks['1']?.attempts).toHaveLength(2);
  });
});

describe('documents', () => {
  it('are written below .ralph, runs for the user alone, and read back', () => {
    const { store } = open();
    const folder = store.iterationFolder('r-1', 7);
    expect(folder).toBe(join(dir, 'runs/r-1/iterations/0007'));
    store.writeDocument('runs/r-1/iterations/0007/iteration.json', '{}');
    expect(statSync(join(folder, 'iteration.json')).mode & 0o777).toBe(0o600);
    expect(store.readDocument('runs/r-1/iterations/0007/iteration.json')).toBe('{}');
    expect(store.readDocument('runs/none.json')).toBeNull();
  });

  it.each(['../out', '/etc/x', 'a/../../out', '.', 'link/x'])('never lead out of .ralph: %s', (path) => {
    mkdirSync(dir);
    symlinkSync(root, join(dir, 'link'));
    const { store } = open();
    expect(() => store.writeDocument(path, 'x')).toThrow(
      /not a path below|link is a link to .*needs a folder of its own/,
    );
    expect(existsSync(join(root, 'x'))).toBe(false);
  });
});

describe('the archive of events', () => {
  it('keeps each reset under a name of its own', () => {
    const { store } = open();
    store.commit(() => [guidance('one')]);
    store.writeViews();
    const paths = [archiveEvents(dir, 'first', NOW), archiveEvents(dir, 'second', NOW)];
    store.commit(() => [{ type: 'events_archived', count: 0, archive: 'a' }]);
    expect(paths.map((path) => gunzipSync(readFileSync(join(dir, path))).toString())).toEqual([
      'first',
      'second',
    ]);
  });
});

describe('a place that cannot be written', () => {
  let worker = '';
  beforeAll(async () => {
    worker = await bundle(new URL('../../helpers/crash/worker.ts', import.meta.url));
  });

  it('refuses with what, why and what to do', () => {
    writeFileSync(dir, 'a file in the way');
    const { store } = open();
    expect(() => store.commit(() => [guidance('one')])).toThrow(
      /\.ralph cannot be written: .* is a file, and ralph needs a folder .* Move it away/,
    );
    rmSync(dir);
    writeFileSync(home.replace(/home$/, 'file'), '');
    const refused = openStore(storeOptions(dir, join(root, 'file', 'home')));
    expect(refused.ok && (() => refused.store.commit(() => [guidance('one')]))).toThrow(
      /outside of the repository.*ENOTDIR/,
    );
  });

  it('keeps every acknowledged record, and nothing half-written, when the disk is full', () => {
    // A limit on the size of files stands in for the full disk: 8 blocks of 512 or 1024 bytes.
    const script = `ulimit -f 8; trap '' XFSZ; exec "$@"`;
    const argv = [process.execPath, worker, 'append', dir, home, 'n', '200'];
    const result = spawnSync('sh', ['-c', script, 'sh', ...argv], { encoding: 'utf8' });
    expect(result.stderr).toMatch(/StoreError: The journal cannot be written.*EFBIG/);
    const printed = result.stdout.trimEnd().split('\n').slice(1);
    expect(printed.length).toBeGreaterThan(3);
    expect(text('journal.jsonl').endsWith('}\n')).toBe(true);
    const { store, notices } = open();
    expect(store.state.feedback.map((entry) => entry.text)).toEqual(printed);
    expect(notices).toEqual([]);
  });

  it('is still readable', () => {
    open().store.commit(() => [guidance('one')]);
    mkdirSync(join(dir, 'state.lock', 'inside'), { recursive: true });
    const { store } = open();
    expect(store.state.feedback).toHaveLength(1);
    expect(() => store.commit(() => [guidance('two')])).toThrow(/state\.lock is a folder.*Move it away/);
  });
});
