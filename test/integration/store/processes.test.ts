import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, acquireRunLock } from '../../../src/store/index.ts';
import { bundle } from '../../helpers/bundle.ts';
import { killTrial } from '../../helpers/crash/kill-trial.ts';
import { lockRace } from '../../helpers/crash/lock-race.ts';
import { openTestStore } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let worker = '';
let root: string;

beforeAll(async () => {
  worker = await bundle(new URL('../../helpers/crash/worker.ts', import.meta.url));
});
beforeEach(() => {
  root = temporaryFolder();
});

describe('several processes', () => {
  it('lose nothing when they write at the same moment, sealing included', async () => {
    const dir = join(root, '.ralph');
    const home = join(root, 'home');
    const children = ['a', 'b', 'c'].map((label) =>
      spawn(process.execPath, [worker, 'append', dir, home, label, '60', '4000'], { stdio: 'ignore' }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const { store, notices } = openTestStore(dir, home);
    expect(notices).toEqual([]);
    expect(readdirSync(join(dir, 'journal')).length).toBeGreaterThan(0);
    const texts = store.state.feedback.map((entry) => entry.text);
    for (const label of ['a', 'b', 'c']) {
      const own = texts.filter((text) => text.startsWith(label));
      expect(own).toEqual(Array.from({ length: 60 }, (_, index) => `${label}-${index + 1}`));
    }
    expect(readdirSync(dir).filter((name) => name.includes('lock') || name.includes('.tmp'))).toEqual([]);
  });

  it('lose no acknowledged record and tear no document when killed at any moment', async () => {
    for (let trial = 0; trial < 20; trial += 1) {
      const { lost, doubled, torn } = await killTrial(worker, Math.random() * 120);
      expect({ lost, doubled, torn }).toEqual({ lost: [], doubled: [], torn: [] });
    }
  }, 240_000);

  it('take a dead one’s lock over with exactly one winner', async () => {
    expect(await lockRace(worker, 8, 3)).toEqual([1, 1, 1]);
  });
});

describe('a lock', () => {
  const held = (holder: object) => writeFileSync(join(root, 'x.lock'), JSON.stringify(holder));
  const take = () => acquireLock(join(root, 'x.lock'), { waitMs: 0, host: 'here' });
  const dead = { pid: 2 ** 30, startTime: null, host: 'here', token: 't', run: null };

  it('is given once, freed by release, and leaves nothing behind', () => {
    const first = take();
    expect(first).toMatchObject({ ok: true, tookOver: false });
    expect(take()).toMatchObject({ ok: false, holder: { pid: process.pid, host: 'here' } });
    if (first.ok) first.release();
    const second = take();
    expect(second.ok).toBe(true);
    if (second.ok) second.release();
    expect(readdirSync(root)).toEqual([]);
  });

  it.each([
    ['of a process that is gone', dead, true],
    ['of an earlier process with the same id', { ...dead, pid: process.pid, startTime: 'x:1' }, true],
    ['of a process that lives', { ...dead, pid: process.pid }, false],
    ['on another host', { ...dead, host: 'elsewhere' }, false],
    ['that is damaged', { pid: 'no' }, true],
  ])('%s', (_, holder, expected) => {
    held(holder);
    expect(take().ok).toBe(expected);
    expect(readdirSync(root)).toEqual(['x.lock']);
  });

  it('is taken over although an earlier take-over died half-way', () => {
    held(dead);
    const before = readFileSync(join(root, 'x.lock'));
    const first = take();
    if (!first.ok) throw new Error('expected to win');
    first.release();
    // The claim of that take-over, left behind by a process that died in it.
    writeFileSync(join(root, 'x.lock'), before);
    const claim = `x.lock.take-${claimName(before)}`;
    writeFileSync(join(root, claim), JSON.stringify({ ...dead, token: 'claim' }));
    expect(take()).toMatchObject({ ok: true, tookOver: true, previous: { token: 't' } });
    expect(readdirSync(root)).toEqual(['x.lock']);
  });

  it('of someone else is not released', () => {
    const mine = take();
    held({ ...dead, token: 'other' });
    if (mine.ok) mine.release();
    expect(existsSync(join(root, 'x.lock'))).toBe(true);
  });

  it('of a run names the run', () => {
    const path = join(root, 'run.lock');
    const first = acquireRunLock(path, { run: 'r-1', host: hostname() });
    expect(first.ok).toBe(true);
    expect(acquireRunLock(path, { run: 'r-2', host: hostname() })).toMatchObject({
      ok: false,
      holder: { run: 'r-1', pid: process.pid },
    });
    if (first.ok) first.release();
  });
});

function claimName(content: Buffer): string {
  return createHash('sha256').update(content.toString('utf8')).digest('hex').slice(0, 16);
}
