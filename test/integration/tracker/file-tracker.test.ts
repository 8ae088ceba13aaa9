import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTracker } from '../../../src/app/setup/tracker/index.ts';
import type { Config } from '../../../src/domain/config.ts';
import type { Store, TrackerLoad } from '../../../src/domain/ports.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { memoryStore, trackerConfig } from './helpers.ts';

function open(files: Record<string, string | Buffer>, config: Partial<Config['tracker']> = {}) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const store = memoryStore();
  return { root, store, tracker: openTracker({ root, store, config: trackerConfig(config) }) };
}

function loaded(load: TrackerLoad) {
  if (!load.ok) throw new Error(load.message);
  return load;
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('finding the tracker', () => {
  it.each<[string, Record<string, string>, Partial<Config['tracker']>, string]>([
    ['the first candidate', { '.ralph/PRD.md': '- [ ] a', 'PRD.md': '- [ ] b' }, {}, '.ralph/PRD.md'],
    ['one in the root', { 'prd.json': '{"stories":[{"id":"A"}]}' }, {}, 'prd.json'],
    ['one that holds tasks', { 'PRD.md': 'prose alone', 'fix_plan.md': '- [ ] a' }, {}, 'fix_plan.md'],
    ['an empty one where there is no other', { 'PRD.md': '' }, {}, 'PRD.md'],
    ['one of the kind', { 'PRD.md': '- [ ] a', 'tasks.yaml': 'tasks: []' }, { kind: 'yaml' }, 'tasks.yaml'],
    [
      'the configured one',
      { 'PRD.md': '- [ ] a', 'docs/list.txt': '- [ ] b' },
      { path: 'docs/list.txt' },
      'docs/list.txt',
    ],
  ])('takes %s', async (_, files, config, name) => {
    const { root, tracker } = open(files, config);
    const load = loaded(await tracker.load());
    expect(load).toMatchObject({ name, paths: [join(root, name)], sha256: sha256(files[name] ?? '') });
  });

  it.each<[string, Record<string, string | Buffer>, Partial<Config['tracker']>, string]>([
    ['nothing there', {}, {}, 'There is no task list yet'],
    ['a wrong path', { 'PRD.md': '' }, { path: 'no.md' }, '"no.md" isn\'t a file'],
    ['a folder', { 'docs/a': '' }, { path: 'docs' }, '"docs" isn\'t a file'],
    ['a damaged file before a good one', { '.ralph/prd.json': '{', 'PRD.md': '- [ ] a' }, {}, 'valid JSON'],
    [
      'other bytes than UTF-8',
      { 'PRD.md': Buffer.from('- [ ] caf\xe9', 'latin1') },
      {},
      "PRD.md isn't UTF-8",
    ],
  ])('refuses: %s', async (_, files, config, part) => {
    const { tracker } = open(files, config);
    expect(await tracker.load()).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });
});

describe('ids', () => {
  it('are remembered once, and again only when something changed', async () => {
    const { root, store, tracker } = open({ 'PRD.md': '- [ ] Write the parser\n- [ ] Send mail\n' });
    const before = loaded(await tracker.load()).tasks;
    await tracker.load();
    expect(store.records).toMatchObject([{ type: 'tracker_accepted', sha256: null, ids: expect.anything() }]);
    writeFileSync(join(root, 'PRD.md'), '- [ ] Send mail\n- [ ] Write the date parser\n');
    const after = loaded(await tracker.load()).tasks;
    expect(after.map((task) => task.id)).toEqual([before[1]?.id, before[0]?.id]);
    expect(store.records).toHaveLength(2);
  });

  it('need no memory where every task has its own', async () => {
    const { store, tracker } = open({ 'PRD.md': '- [ ] A-1: a\n' });
    await tracker.load();
    expect(store.records).toEqual([]);
  });

  it('come from the newest memory when another process has just written one', async () => {
    const { root, store } = open({ 'PRD.md': '- [ ] a\n' });
    const elsewhere = [{ id: 't-aaaaaa', title: 'a', index: 0 }];
    // What a transaction sees may be newer than what this process has seen.
    const late: Store = {
      ...store,
      commit: (given) =>
        store.commit(
          typeof given === 'function' ? () => given({ ...EMPTY_STATE, rememberedIds: elsewhere }) : given,
        ),
    };
    const tracker = openTracker({ root, store: late, config: trackerConfig() });
    expect(loaded(await tracker.load()).tasks[0]?.id).toBe('t-aaaaaa');
    expect(store.records).toEqual([]);
  });
});

describe('show', () => {
  it('changes one byte, keeps the mode, leaves no other file, and records what it wrote', async () => {
    const text = '\uFEFF# Größe\r\n\r\n- [ ] A-1: a\r\n- [ ] b';
    const { root, store, tracker } = open({ 'PRD.md': text });
    const path = join(root, 'PRD.md');
    chmodSync(path, 0o640);
    expect(await tracker.show('A-1', 'done')).toBeNull();
    const expected = text.replace('[ ] A-1', '[x] A-1');
    expect(readFileSync(path)).toEqual(Buffer.from(expected));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(root)).toEqual(['PRD.md']);
    const record = {
      type: 'tracker_accepted',
      sha256: sha256(expected),
      reopened: [],
      opened: null,
      marked: 'A-1',
      takenBack: [],
    };
    expect(store.records).toEqual([record]);
    expect(loaded(await tracker.load()).sha256).toBe(store.state.trackerSha256);
  });

  it('works on the file as it is now', async () => {
    const { root, tracker } = open({ 'PRD.md': '- [ ] Write the parser\n' });
    const [task] = loaded(await tracker.load()).tasks;
    writeFileSync(join(root, 'PRD.md'), 'new words\n\n- [ ] Another\n- [ ] Write the parser\n');
    expect(await tracker.show(task?.id ?? '', 'blocked')).toBeNull();
    expect(readFileSync(join(root, 'PRD.md'), 'utf8')).toBe(
      'new words\n\n- [ ] Another\n- [-] Write the parser\n',
    );
  });

  it('follows a symlink and leaves it one', async () => {
    const { root, tracker } = open({ 'docs/real.md': '- [ ] A-1: a\n' });
    symlinkSync('docs/real.md', join(root, 'PRD.md'));
    expect(await tracker.show('A-1', 'done')).toBeNull();
    expect(lstatSync(join(root, 'PRD.md')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, 'docs/real.md'), 'utf8')).toBe('- [x] A-1: a\n');
  });

  it('writes nothing when nothing changes', async () => {
    const { root, store, tracker } = open({ 'PRD.md': '- [x] A-1: a\n' });
    const before = statSync(join(root, 'PRD.md'));
    expect(await tracker.show('A-1', 'done')).toBeNull();
    expect(await tracker.show('A-1', 'done')).toBeNull();
    expect(statSync(join(root, 'PRD.md')).ino).toBe(before.ino);
    expect(store.records).toEqual([]);
  });

  it.each([
    ['a task that is gone', 'B-9', 'no task B-9'],
    ['a tracker that is gone', 'A-1', 'no task list'],
  ])('reports %s', async (_, id, part) => {
    const { root, tracker } = open({ 'PRD.md': '- [ ] A-1: a\n' });
    if (part === 'no task list') rmSync(join(root, 'PRD.md'));
    await expect(tracker.show(id, 'done')).resolves.toMatchObject({ message: expect.stringContaining(part) });
  });

  it('reports a link that leads nowhere', async () => {
    const { root, tracker } = open({}, { path: 'link.md' });
    symlinkSync('link.md', join(root, 'link.md'));
    await expect(tracker.show('A-1', 'done')).resolves.toMatchObject({
      message: expect.stringContaining('"link.md" isn\'t a file'),
    });
  });
});
