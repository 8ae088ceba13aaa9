import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** What reads ralph-gold's settings and records, which few folders have. */
const READERS = /^(?:config\/ralph-gold(?:-keys|-ignored)?|state\/import-(?:views|ralph-gold))\.ts$/;
const STATIC = /^(?:import|export) (?!type )[^;]*?from '(\.[^']*)';/gm;
const LATE = /\bimport\('(\.[^']*)'\)/g;

function importsBy(pattern: RegExp): [from: string, to: string][] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      [...readFileSync(join(SRC, path), 'utf8').matchAll(pattern)].map(([, to = '']): [string, string] => [
        path,
        join(dirname(path), to),
      ]),
    )
    .filter(([from, to]) => READERS.test(to) && !READERS.test(from));
}

it('the readers of ralph-gold are loaded where a folder needs them, and in no other start', () => {
  expect(importsBy(STATIC)).toEqual([]);
  expect(importsBy(LATE)).toEqual([
    ['config/load-config.ts', 'config/ralph-gold.ts'],
    ['state/load-import.ts', 'state/import-views.ts'],
  ]);
});
