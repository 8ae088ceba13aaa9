import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNERS } from 'ralph-ecosystems';
import { expect, it } from 'vitest';

const TOP = join(import.meta.dirname, '../../..');

/** Texts that speak of results, and are none: the documents, and the readers themselves. */
const TEXTS = ['docs', 'packages/ecosystems'].flatMap((folder) =>
  readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:md|ts)$/.test(path))
    .map((path) => join(folder, path)),
);

it.each(TEXTS)('%s is no result', (path) => {
  const text = readFileSync(join(TOP, path), 'utf8');
  expect(RUNNERS.filter(({ read }) => read(text.split('\n'), true) !== null).map(({ name }) => name)).toEqual(
    [],
  );
});
