import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsToArchive } from '../../../src/state/index.ts';
import { pruneRuns } from '../../../src/store/index.ts';
import { guidance, NOW, openTestStore } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { event, finished, started } from '../../unit/state/records.ts';

let root: string;
let dir: string;
let home: string;
beforeEach(() => {
  root = temporaryFolder();
  dir = join(root, '.ralph');
  home = join(root, 'home');
});

const RULES = { maxEvents: 100, feedbackRotationDays: 30, now: NOW };
const open = () => openTestStore(dir, home, { archive: (state) => eventsToArchive(state, RULES) });
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index, { timestamp: NOW }));

function archived(): string[] {
  const folder = join(dir, 'interventions/archive');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const { events } = JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString());
      return events.map(({ id }: { id: string }) => id);
    });
}

describe('events that are too many', () => {
  it('go to the archive automatically, and none is lost or doubled', () => {
    const { store } = open();
    for (let number = 1; number <= 400; number += 8) {
      store.commit(() => [finished(number, { events: range(number, number + 7) })]);
    }
    const listed = store.state.events.map(({ id }) => id);
    expect(listed.length).toBeLessThanOrEqual(158);
    expect([...archived(), ...listed]).toEqual(range(1, 400).map(({ id }) => id));
    expect(store.state.eventTotals.count).toBe(400);
    expect(open().notices).toEqual([]);
    expect(open().store.state.events.map(({ id }) => id)).toEqual(listed);
  });

  it('are kept in the list when the archive cannot be written, which is said once', () => {
    const notices: string[] = [];
    const archive = (state: Parameters<typeof eventsToArchive>[0]) => eventsToArchive(state, RULES);
    const { store } = openTestStore(dir, home, { archive, onNotice: (text) => notices.push(text) });
    mkdirSync(join(dir, 'interventions'), { recursive: true });
    writeFileSync(join(dir, 'interventions/archive'), 'in the way');
    store.commit(() => [finished(1, { events: range(1, 200) })]);
    store.commit(() => [guidance('one')]);
    store.commit(() => [guidance('two')]);
    expect(store.state.events).toHaveLength(200);
    expect(notices).toEqual([expect.stringContaining('cannot be archived')]);
    rmSync(join(dir, 'interventions/archive'));
    store.commit(() => [guidance('three')]);
    expect(store.state.events).toHaveLength(100);
    expect(archived()).toHaveLength(100);
  });

  it('may be archived by another process while an agent works', () => {
    const { store } = open();
    store.commit(() => [finished(1, { events: range(1, 200) })]);
    store.writeViews();
    open().store.commit(() => [guidance('from elsewhere')]);
    expect(archived()).toHaveLength(100);
  });
});

describe('old runs', () => {
  const run = (number: number) => `r-20260120-2035${String(number).padStart(2, '0')}-abcd`;
  const runs = () => readdirSync(join(dir, 'runs')).sort();

  it('go, the oldest first; needed ones and what is not ralph’s stay', () => {
    expect(pruneRuns(dir, 2, new Set())).toBe(0);
    for (let number = 1; number <= 6; number += 1)
      mkdirSync(join(dir, 'runs', run(number), 'iterations'), { recursive: true });
    mkdirSync(join(dir, 'runs', 'mine'));
    mkdirSync(join(dir, 'runs', `.${run(0)}.removed`, 'left'), { recursive: true });
    expect(pruneRuns(dir, 0, new Set())).toBe(0);
    expect(pruneRuns(dir, 2, new Set([run(2)]))).toBe(3);
    expect(runs()).toEqual(['mine', run(2), run(5), run(6)]);
    expect(pruneRuns(dir, 2, new Set([run(2)]))).toBe(0);
  });
});

/** Why a small file system cannot be mounted here; `null` when it can. */
function whyNoMount(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount one';
  const place = temporaryFolder();
  try {
    mount(place, 'size=1m');
    unmount(place);
    return null;
  } catch {
    return 'mounting is not allowed here';
  } finally {
  }
}

function mount(place: string, options: string): void {
  shell('mount -t tmpfs -o "$2" tmpfs "$1"', place, options);
}

function unmount(place: string): void {
  shell('umount "$1"', place);
}

function shell(script: string, ...argv: string[]): void {
  execFileSync('sh', ['-c', script, 'sh', ...argv], { stdio: 'pipe' });
}

const reason = whyNoMount();
describe(`a small disk${reason === null ? '' : ` (left out: ${reason})`}`, () => {
  const onDisk = it.runIf(reason === null);
  let place: string;
  beforeEach(() => {
    place = join(root, 'disk');
    mkdirSync(place);
  });
  afterEach(() => {
    if (reason === null) unmount(place);
  });

  onDisk('refuses an attempt before the agent works, and nothing else', () => {
    mount(place, 'size=8m');
    const { store } = openTestStore(join(place, '.ralph'), home);
    store.commit(() => [guidance('one')]);
    expect(() => store.commit(() => [started(1)])).toThrow(/Only [78]\.\d MiB are free at .*Free some space/);
    expect(store.state.workplaces).toEqual([]);
    store.commit(() => [guidance('two')]);
    store.writeViews();
  });

  onDisk('keeps all that was acknowledged, whole, when it is full to the last byte', () => {
    mount(place, 'size=1m');
    const full = join(place, '.ralph');
    const { store } = openTestStore(full, home);
    store.commit(() => [guidance('one')]);
    store.writeViews();
    const before = readFileSync(join(full, 'state.json'), 'utf8');
    const fill = () => writeFileSync(join(place, 'fill'), Buffer.alloc(2 << 20));
    expect(fill).toThrow(/ENOSPC/);
    const words = /ENOSPC.*Free some space/;
    for (const change of [
      () => store.commit(() => [guidance('x'.repeat(5000))]),
      () => store.writeDocument('runs/r-1/iterations/0001/iteration.json', 'x'.repeat(5000)),
    ]) {
      expect(change).toThrow(words);
    }
    expect(readFileSync(join(full, 'state.json'), 'utf8')).toBe(before);
    const left = readdirSync(full, { recursive: true }).map(String);
    expect(left.filter((name) => /\.tmp$|lock|iteration\.json/.test(name))).toEqual([]);
    rmSync(join(place, 'fill'));
    const again = openTestStore(full, home);
    expect(again.notices).toEqual([]);
    expect(again.store.state.feedback.map(({ text }) => text)).toEqual(['one']);
    again.store.commit(() => [guidance('continues')]);
  });

  onDisk('that is read-only is read, and says so when something is to be written', () => {
    mount(place, 'size=8m');
    const readOnly = join(place, '.ralph');
    openTestStore(readOnly, home).store.commit(() => [guidance('one')]);
    shell('mount -o remount,ro "$1"', place);
    const { store } = openTestStore(readOnly, home);
    expect(store.state.feedback).toHaveLength(1);
    for (const change of [() => store.commit(() => [guidance('two')]), () => store.writeViews()]) {
      expect(change).toThrow(/read-only \(EROFS\)\. Make the folder writable/);
    }
  });
});
