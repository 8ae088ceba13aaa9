/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { bundle } from '../../helpers/bundle.ts';
import { guidance, openTestStore } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { damageTrial, makeTemplate, TARGETS } from './damage-trial.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

const TEXTS = Array.from({ length: 12 }, (_, n) => `text ${n}`);

type Damage = (bytes: Buffer) => Buffer;
const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const index = (bytes: Buffer, where: number) => Math.floor(bytes.length * where);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  place.map(
    (where): Damage =>
      (bytes) =>
        bytes.subarray(0, index(bytes, where)),
  ),
  fc.tuple(place, fc.nat(7)).map(
    ([where, bit]): Damage =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        const at = index(copy, where);
        copy[at] = (copy[at] ?? 0) ^ (1 << bit);
        return copy;
      },
  ),
  fc.tuple(place, place).map(
    ([from, to]): Damage =>
      (bytes) => {
        const [a, b] = [index(bytes, from), index(bytes, to)].sort((x, y) => x - y);
        return Buffer.concat([bytes.subarray(0, a), bytes.subarray(b)]);
      },
  ),
  fc.tuple(place, fc.string()).map(
    ([where, text]): Damage =>
      (bytes) => {
        const at = index(bytes, where);
        return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
      },
  ),
);

it('a damaged journal comes back from its copy; without that, what is left of it is a beginning, and it is said', () => {
  let number = 0;
  fc.assert(
    fc.property(damage, fc.constantFrom('copy', 'no copy', 'no home'), (spoil, left) => {
      number += 1;
      const dir = join(root, `${number}`, '.ralph');
      const home = join(root, `${number}`, 'home');
      mkdirSync(join(root, `${number}`));
      const first = openTestStore(dir, home).store;
      for (const text of TEXTS) first.commit(() => [guidance(text)]);
      const journal = join(dir, 'journal.jsonl');
      writeFileSync(journal, spoil(readFileSync(journal)));
      if (left === 'no copy') truncateSync(join(home, 'main', 'journal'), 256);
      if (left === 'no home') rmSync(home, { recursive: true });
      const { store, notices } = openTestStore(dir, home);
      const texts = store.state.feedback.map((entry) => entry.text);
      if (left === 'copy') expect(texts).toEqual(TEXTS);
      if (left === 'no home') expect(texts).toEqual([]);
      expect(texts).toEqual(TEXTS.slice(0, texts.length));
      if (texts.length < TEXTS.length && readFileSync(journal).length > 0) expect(notices).not.toEqual([]);
      store.commit(() => [guidance('continues')]);
      const again = openTestStore(dir, home);
      expect(again.notices).toEqual([]);
      expect(again.store.state.feedback.map((entry) => entry.text)).toEqual([...texts, 'continues']);
      expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it('no damaged file of the store makes it crash, hang or forget', () => {
  const template = makeTemplate(root);
  fc.assert(
    fc.property(fc.constantFrom(...TARGETS), damage, (target, spoil) => {
      const trial = damageTrial(template, target, (path) => writeFileSync(path, spoil(readFileSync(path))));
      expect(trial.wrong).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it('nothing in the place of a file makes it crash, hang or forget: folders, pipes, links, devices, 100 MB', async () => {
  // In a process of its own: a hang could not be stopped in this one.
  const script = await bundle(new URL('damage-worker.ts', import.meta.url));
  mkdirSync(join(root, 'work'));
  const argv = [script, join(root, 'work'), 'small'];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 100_000 });
  expect(stderr).toBe('');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => !line.endsWith(': well'))).toEqual(['done']);
});
