import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestStore, said } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let root: string;
let dir: string;
let home: string;
let store: ReturnType<typeof openTestStore>['store'];
const SET_ASIDE = 'runs/r-1/iterations/0003/set-aside';

beforeEach(() => {
  root = temporaryFolder();
  dir = join(root, '.ralph');
  home = join(root, 'home');
  mkdirSync(join(dir, 'gates'), { recursive: true });
  write('.ralph/ralph.toml', '[loop]\n');
  write('.ralph/PROMPT_build.md', 'prompt\n');
  write('.ralph/PRD.md', '- [ ] 1\n');
  write('plan.md', '- [ ] other\n');
  write('prompt.md', 'prompt elsewhere\n');
  write('.ralph/gates/decisions.log', 'decided\n');
  store = openTestStore(dir, home).store;
  store.commit(() => [said('one'), said('two')]);
  store.writeViews();
});

const at = (path: string) => join(root, path);
const write = (path: string, content: string) => writeFileSync(at(path), content);
const read = (path: string) => readFileSync(at(path), 'utf8');
const guard = () =>
  store.guard({
    trackers: [at('.ralph/PRD.md'), at('plan.md')],
    prompts: ['prompt.md', 'guardian.md', '.ralph/PROMPT_build.md'],
  });

/** Every file below the root but the runs, with mode and content, to see that all is as it was. */
function everything(folder = root): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (path === home || path === join(dir, 'runs')) continue;
    const stat = lstatSync(path);
    if (stat.isDirectory()) Object.assign(found, everything(path));
    else found[path.slice(root.length)] = `${stat.mode.toString(8)} ${readFileSync(path, 'utf8')}`;
  }
  return found;
}

describe('the guard', () => {
  it('finds nothing when nothing happened, and leaves the user’s other files alone', () => {
    const guarded = guard();
    write('.ralph/AGENTS.md', 'notes');
    write('src.ts', 'code');
    expect(guarded.restore('r-1', 3, false).restored).toEqual([]);
    expect(read('.ralph/AGENTS.md')).toBe('notes');
    expect(existsSync(join(dir, SET_ASIDE))).toBe(false);
  });

  it('takes over what only you can have edited or made, brings back what is gone, and holds it from there on', () => {
    write('.ralph/FEEDBACK.md', 'notes\n');
    const guarded = guard();
    write('.ralph/ralph.toml', 'mine\n');
    write('.ralph/PROMPT_mine.md', 'made\n');
    rmSync(join(dir, 'FEEDBACK.md'));
    const { restored, edited } = guarded.restore('r-1', 3, true);
    expect(edited).toEqual([
      { kind: 'config', path: '.ralph/ralph.toml', change: 'modified' },
      { kind: 'config', path: '.ralph/PROMPT_mine.md', change: 'created' },
    ]);
    expect(restored).toMatchObject([{ path: '.ralph/FEEDBACK.md', change: 'deleted' }]);
    expect([read('.ralph/ralph.toml'), read('.ralph/PROMPT_mine.md')]).toEqual(['mine\n', 'made\n']);
    expect(guarded.restore('r-1', 3, true)).toEqual({ restored: [], edited: [] });
    write('.ralph/ralph.toml', 'other\n');
    expect(guarded.restore('r-1', 3, false)).toMatchObject({
      restored: [{ change: 'modified' }],
      edited: [],
    });
    expect(read('.ralph/ralph.toml')).toBe('mine\n');
  });

  it.each<[string, () => void, object, string | null]>([
    [
      'tracker edited',
      () => write('.ralph/PRD.md', '- [x] 1\n'),
      { kind: 'tracker', path: '.ralph/PRD.md', change: 'modified' },
      '- [x] 1\n',
    ],
    [
      'tracker outside edited',
      () => write('plan.md', 'x'),
      { kind: 'tracker', path: 'plan.md', change: 'modified' },
      'x',
    ],
    [
      'tracker deleted',
      () => rmSync(at('.ralph/PRD.md')),
      { kind: 'tracker', change: 'deleted', setAside: null },
      null,
    ],
    [
      'prompt outside edited',
      () => write('prompt.md', 'easy\n'),
      { kind: 'config', path: 'prompt.md', change: 'modified' },
      'easy\n',
    ],
    [
      'prompt outside made',
      () => write('guardian.md', 'approve\n'),
      { kind: 'config', path: 'guardian.md', change: 'created' },
      'approve\n',
    ],
    [
      'tracker made a folder',
      () => {
        rmSync(at('plan.md'));
        mkdirSync(at('plan.md'));
        write('plan.md/x', 'y');
      },
      { kind: 'tracker', change: 'modified' },
      null,
    ],
    [
      'tracker made a link',
      () => {
        rmSync(at('plan.md'));
        write('evil', 'evil');
        symlinkSync('evil', at('plan.md'));
        rmSync(at('evil'));
      },
      { kind: 'tracker', change: 'modified' },
      null,
    ],
    [
      'tracker made a pipe',
      () => {
        rmSync(at('plan.md'));
        execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', at('plan.md')]);
      },
      { kind: 'tracker', change: 'modified' },
      'no plain file\n',
    ],
    [
      'tracker made a folder with a pipe in it',
      () => {
        rmSync(at('.ralph/PRD.md'));
        mkdirSync(at('.ralph/PRD.md'));
        execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', at('.ralph/PRD.md/pipe')]);
      },
      { kind: 'tracker', change: 'modified' },
      null,
    ],
    [
      'view made as large as 100 MB',
      () => truncateSync(at('.ralph/state.json'), 100_000_000),
      { kind: 'own', path: '.ralph/state.json', change: 'modified' },
      null,
    ],
    [
      'configuration edited',
      () => appendFileSync(at('.ralph/ralph.toml'), 'x'),
      { kind: 'config', path: '.ralph/ralph.toml' },
      '[loop]\nx',
    ],
    [
      'configuration’s mode',
      () => chmodSync(at('.ralph/ralph.toml'), 0o777),
      { kind: 'config', change: 'modified' },
      '[loop]\n',
    ],
    [
      'prompt deleted',
      () => rmSync(at('.ralph/PROMPT_build.md')),
      { kind: 'config', change: 'deleted' },
      null,
    ],
    [
      'prompt planted',
      () => write('.ralph/PROMPT_other.md', 'p'),
      { kind: 'config', path: '.ralph/PROMPT_other.md', change: 'created' },
      'p',
    ],
    [
      'feedback planted',
      () => write('.ralph/FEEDBACK.md', 'all is well'),
      { kind: 'config', path: '.ralph/FEEDBACK.md', change: 'created' },
      'all is well',
    ],
    [
      'view edited',
      () => write('.ralph/state.json', '{}'),
      { kind: 'own', path: '.ralph/state.json', change: 'modified' },
      '{}',
    ],
    [
      'view deleted',
      () => rmSync(at('.ralph/interventions/events.json')),
      { kind: 'own', path: '.ralph/interventions/events.json', change: 'deleted' },
      null,
    ],
    [
      'own file edited',
      () => write('.ralph/gates/decisions.log', 'all approved'),
      { kind: 'own', path: '.ralph/gates/decisions.log' },
      'all approved',
    ],
    [
      'own file deleted',
      () => rmSync(at('.ralph/gates/decisions.log')),
      { kind: 'own', change: 'deleted' },
      null,
    ],
    [
      'file planted among the gates',
      () => write('.ralph/gates/G-1.json', 'approved'),
      { kind: 'own', path: '.ralph/gates/G-1.json', change: 'created' },
      'approved',
    ],
    [
      'segment planted',
      () => {
        mkdirSync(at('.ralph/journal'));
        write('.ralph/journal/0009.jsonl.gz', 'x');
      },
      { kind: 'own', change: 'created' },
      'x',
    ],
  ])('puts back: %s', (_, tamper, expected, kept) => {
    const before = everything();
    const guarded = guard();
    tamper();
    const found = guarded.restore('r-1', 3, false).restored;
    expect(found).toEqual([expect.objectContaining(expected)]);
    expect(everything()).toEqual(before);
    if (kept !== null) expect(read(join('.ralph', found[0]?.setAside ?? ''))).toBe(kept);
    expect(store.state.feedback.map((entry) => entry.text)).toEqual(['one', 'two']);
    expect(guard().restore('r-1', 4, false).restored).toEqual([]);
    expect(openTestStore(dir, home).notices).toEqual([]);
  });

  it.each([
    ['truncated', () => truncateSync(at('.ralph/journal.jsonl'), 10), 'modified', '{"seq":1,"'],
    [
      'emptied, times kept',
      () => {
        const { atime, mtime } = statSync(at('.ralph/journal.jsonl'));
        write('.ralph/journal.jsonl', '');
        utimesSync(at('.ralph/journal.jsonl'), atime, mtime);
      },
      'modified',
      '',
    ],
    ['deleted', () => rmSync(at('.ralph/journal.jsonl')), 'deleted', null],
    [
      'rewritten',
      () => write('.ralph/journal.jsonl', read('.ralph/journal.jsonl').replace('two', 'TWO')),
      'modified',
      expect.stringContaining('TWO'),
    ],
  ])('puts back the journal that was %s', (_, tamper, change, kept) => {
    const before = read('.ralph/journal.jsonl');
    const guarded = guard();
    tamper();
    const found = guarded.restore('r-1', 3, false).restored;
    expect(found).toEqual([
      {
        kind: 'own',
        path: '.ralph/journal.jsonl',
        change,
        setAside: kept === null ? null : expect.any(String),
      },
    ]);
    if (kept !== null) expect(read(join('.ralph', found[0]?.setAside ?? ''))).toEqual(kept);
    expect(read('.ralph/journal.jsonl').startsWith(before)).toBe(true);
    expect(store.state.feedback.map((entry) => entry.text)).toEqual(['one', 'two']);
    expect(guard().restore('r-1', 4, false).restored).toEqual([]);
    expect(openTestStore(dir, home).notices).toEqual([]);
  });

  it('cuts forged records off', () => {
    const guarded = guard();
    const forged = { seq: 3, at: 'x', type: 'tracker_accepted', sha256: 'forged' };
    appendFileSync(at('.ralph/journal.jsonl'), `${JSON.stringify(forged)}\n`);
    expect(guarded.restore('r-1', 3, false).restored).toHaveLength(1);
    expect(store.state).toMatchObject({ seq: 3, trackerSha256: null });
    expect(store.refresh().trackerSha256).toBeNull();
  });

  it('never writes through a link that replaced one of its folders', () => {
    const guarded = guard();
    mkdirSync(at('elsewhere'));
    renameSync(at('.ralph/interventions'), at('moved'));
    symlinkSync('../elsewhere', at('.ralph/interventions'));
    const found = guarded.restore('r-1', 3, false).restored;
    expect(found.map((one) => one.path)).toContain('.ralph/interventions');
    expect(readdirSync(at('elsewhere'))).toEqual([]);
    expect(lstatSync(at('.ralph/interventions')).isDirectory()).toBe(true);
    expect(readdirSync(at('.ralph/interventions')).sort()).toEqual([
      'events.json',
      'feedback.txt',
      'profile.json',
    ]);
  });

  it('replaces a link planted in the place of a view, and leaves its target alone', () => {
    const guarded = guard();
    write('victim', 'precious');
    rmSync(at('.ralph/state.json'));
    symlinkSync('../victim', at('.ralph/state.json'));
    expect(guarded.restore('r-1', 3, false).restored).toHaveLength(1);
    expect(read('victim')).toBe('precious');
    expect(lstatSync(at('.ralph/state.json')).isFile()).toBe(true);
  });

  it('keeps the user’s own link, and undoes what was written through it', () => {
    rmSync(at('plan.md'));
    write('real.md', 'plan');
    symlinkSync('real.md', at('plan.md'));
    const guarded = guard();
    write('plan.md', 'changed');
    expect(guarded.restore('r-1', 3, false).restored).toMatchObject([
      { path: 'plan.md', change: 'modified' },
    ]);
    expect([read('real.md'), lstatSync(at('plan.md')).isSymbolicLink()]).toEqual(['plan', true]);
  });

  it('leaves alone what other ralph processes did: records, views, tracker, sealing', () => {
    const guarded = guard();
    const other = openTestStore(dir, home, { segmentBytes: 500 }).store;
    for (let n = 0; n < 10; n += 1) other.commit(() => [said(`other ${n}`)]);
    write('.ralph/PRD.md', '- [ ] 1 unblocked\n');
    other.commit(() => [
      { type: 'tracker_accepted', reopened: [], opened: null, sha256: sha256('- [ ] 1 unblocked\n') },
    ]);
    other.writeViews();
    expect(readdirSync(join(dir, 'journal')).length).toBeGreaterThan(0);
    expect(guarded.restore('r-1', 3, false).restored).toEqual([]);
    expect(store.state.feedback).toHaveLength(12);
    expect(read('.ralph/PRD.md')).toBe('- [ ] 1 unblocked\n');
  });

  it('keeps what other ralph processes recorded although the agent damaged the journal after that', () => {
    const guarded = guard();
    openTestStore(dir, home).store.commit(() => [said('other')]);
    write('.ralph/journal.jsonl', read('.ralph/journal.jsonl').replace('"text":"one"', '"text":"ONE"'));
    expect(guarded.restore('r-1', 3, false).restored).toHaveLength(1);
    expect(store.state.feedback.map((entry) => entry.text)).toEqual(['one', 'two', 'other']);
  });

  it('repairs the journal when this process writes before the attempt ends, and still tells it', () => {
    const guarded = guard();
    write('.ralph/journal.jsonl', '');
    store.commit(() => [said('three')]);
    expect(guarded.restore('r-1', 3, false).restored).toMatchObject([
      { path: '.ralph/journal.jsonl', change: 'modified' },
    ]);
    expect(openTestStore(dir, home).store.state.feedback).toHaveLength(3);
  });

  it('keeps several versions of the same file apart', () => {
    for (const version of ['a', 'b']) {
      const guarded = guard();
      write('.ralph/PRD.md', version);
      guarded.restore('r-1', 3, false);
    }
    expect(readdirSync(join(dir, SET_ASIDE)).sort()).toEqual(['PRD.md', 'PRD.md-2']);
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
