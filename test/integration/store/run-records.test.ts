import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readRunRecords } from '../../../src/store/index.ts';
import { guidance, openTestStore } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { RUN } from '../../unit/state/records.ts';

it('the records of a run are those that ralph wrote, in sealed segments, too', () => {
  const root = temporaryFolder();
  const [dir, home] = [join(root, '.ralph'), join(root, 'home')];
  const { store } = openTestStore(dir, home, { segmentBytes: 1500 });
  store.commit(() => [RUN]);
  for (let n = 1; n <= 30; n += 1) store.commit(() => [guidance(`n ${n}`)]);
  const seqs = () => readRunRecords(dir, home, 'main', RUN.run).map(({ seq }) => seq);
  const whole = seqs();
  expect(whole).toEqual(whole.map((_, index) => index + 1));
  expect(readdirSync(join(dir, 'journal')).length).toBeGreaterThan(1);

  const segment = join(dir, 'journal', '0001.jsonl.gz');
  const text = gunzipSync(readFileSync(segment)).toString();
  const held = text.trimEnd().split('\n').length;
  writeFileSync(segment, gzipSync(text.replace('n 2"', 'n two"')));
  // The start and the first of them come before the one that was changed.
  expect(seqs()).toEqual(whole.filter((seq) => seq <= 2 || seq > held));
  // Without the key nothing says which journal is right.
  rmSync(join(home, 'key'));
  expect(seqs()).toEqual(whole);
});
