import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGES } from '../helpers/source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SRC = join(ROOT, 'src');
const { resolve } = createRequire(import.meta.url);
const TEXT = readFileSync(join(ROOT, 'docs', 'ARCHITECTURE.md'), 'utf8');

/** The most files of one walk, so that a reader can hold them in mind. */
const LONGEST = 12;
/** Folders of `src` that a table of contents may have. */
const MOST_FOLDERS = 18;

/** The sections below `## Walks`: their title, and the files that their table names first in each row. */
const WALKS = (TEXT.split(/^## /m).find((part) => part.startsWith('Walks\n')) ?? '')
  .split(/^### /m)
  .slice(1)
  .map((part) => {
    const [title = ''] = part.split('\n');
    const named = [...part.matchAll(/^\| `([^`]+\.ts)` \|/gm)].map(([, path]) => path ?? '');
    return { title, files: named.map(fileOf) };
  });

describe('the walks of docs/ARCHITECTURE.md', () => {
  it('are five', () => {
    expect(WALKS.map(({ title }) => title)).toEqual([
      'An iteration',
      'An action of an agent',
      'A finding, to the next prompt',
      'A landing',
      'A mark in the task list',
    ]);
  });

  it.each(WALKS)('$title: is short, and each file imports or is imported by one before it', ({ files }) => {
    expect(files.length).toBeGreaterThan(4);
    expect(files.length).toBeLessThanOrEqual(LONGEST);
    expect(files.filter((path) => !existsSync(join(SRC, path)))).toEqual([]);
    const alone = files.filter(
      (path, at) =>
        at > 0 && !files.slice(0, at).some((one) => isImported(one, path) || isImported(path, one)),
    );
    expect(alone).toEqual([]);
  });
});

it('the table of contents has all packages and folders of src, and no more than can be kept in mind', () => {
  const [contents = ''] = TEXT.split('| these | import |');
  const packages = [...contents.matchAll(/^\| `packages\/([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(packages.toSorted()).toEqual(readdirSync(join(ROOT, 'packages')).toSorted());
  const folders = readdirSync(SRC);
  const named = [...TEXT.matchAll(/^\| `src\/([a-z]+)` \|/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(folders.toSorted());
  expect(folders.length).toBeLessThanOrEqual(MOST_FOLDERS);
});

it('what is asked of the code first is answered with a file that is there', () => {
  const section = TEXT.split(/^## /m).find((part) => part.startsWith('Where is')) ?? '';
  const files = [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path]) => path ?? '');
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((path) => !existsSync(join(SRC, fileOf(path))))).toEqual([]);
});

/** The path from `src` of a file that the document names from there, or from the name of a package. */
function fileOf(named: string): string {
  const [first = '', ...rest] = named.split('/');
  return PACKAGES.includes(first) ? `../packages/${first}/src/${rest.join('/')}` : named;
}

/** Whether a file imports another one, itself or by the index of its room. */
function isImported(from: string, path: string, deep = 0): boolean {
  return importsOf(from).some(
    (one) => one === path || (one.endsWith('/index.ts') && deep < 2 && isImported(one, path, deep + 1)),
  );
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(SRC, path), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+|ralph-[^']+)'/g)]
    .map(([, to = '']) => relative(SRC, to.startsWith('.') ? join(SRC, dirname(path), to) : resolve(to)))
    .filter((one) => existsSync(join(SRC, one)));
}
