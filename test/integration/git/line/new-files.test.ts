import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesFromHead } from '../../../../src/git/diff/diff.ts';
import { writeNewFiles } from '../../../../src/git/line/new-files.ts';
import { locate } from '../../../../src/git/repository/locate.ts';
import { pinView } from '../../../../src/git/view/pin-view.ts';
import { randomTree } from '../../../helpers/random-tree.ts';
import {
  makeRepository,
  runTestGit,
  type TestRepository,
  temporaryFolder,
} from '../../../helpers/repository.ts';

/** Returns the content of everything below a folder. */
function contentIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const found = lstatSync(path);
      if (found.isDirectory()) return `${name}/`;
      if (found.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return `${name} ${(found.mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`;
    });
}

/** What is written of a commit's changes, what git writes of them, and whether git was needed. */
async function written({ root }: TestRepository) {
  const located = await locate(root);
  if (!located.ok) throw new Error(located.message);
  const tree = await pinView(located.tree, temporaryFolder(), true);
  const changes = (await changesFromHead(tree, 'HEAD~1', 'HEAD')).filter(({ status }) => status !== 'D');
  const [folder, scratch, byGit] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  await writeNewFiles(tree, runTestGit(root, ['rev-parse', 'HEAD']), changes, folder, scratch);
  const index = join(temporaryFolder(), 'index');
  runTestGit(root, ['read-tree', 'HEAD'], { GIT_INDEX_FILE: index });
  const paths = Buffer.from(changes.map(({ path }) => `${path}\0`).join(''), 'latin1').toString('utf8');
  const args = ['checkout-index', '-q', '-z', `--prefix=${byGit}/`, '--stdin'];
  runTestGit(root, args, { GIT_INDEX_FILE: index }, paths);
  return { here: contentIn(folder), byGit: contentIn(byGit), asksGit: existsSync(join(scratch, 'index')) };
}

describe('the new files of a landing', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'are those that git checks out, whatever the change was (seed %i)',
    async (seed) => {
      const repo = makeRepository({ 'src/a': 'a\n', 'docs/b.txt': 'b\n' });
      const step = randomTree(repo.root, seed);
      for (let round = 0; round < 4; round += 1) {
        for (let count = 0; count < 12; count += 1) step();
        repo.commitAll('next');
        const { here, byGit } = await written(repo);
        expect(here).toEqual(byGit);
      }
    },
  );

  it('are written without git, links and programs too', async () => {
    const repo = makeRepository();
    repo.write('a/b/c.txt', 'c\r\n');
    repo.write('run.sh', '#!/bin/sh\n', 0o755);
    repo.write('empty', '');
    symlinkSync('a/b/c.txt', repo.path('link'));
    repo.commitAll('next');
    const { here, byGit, asksGit } = await written(repo);
    expect(here).toEqual(byGit);
    expect(here).toHaveLength(6);
    expect(asksGit).toBe(false);
  });

  const CRLF = '*.txt text eol=crlf\n';
  const CONVERTED: readonly (readonly [string, (repo: TestRepository) => void])[] = [
    ['attributes in the tree', (repo) => repo.write('.gitattributes', CRLF)],
    ['attributes of a folder', (repo) => repo.write('a/.gitattributes', CRLF)],
    ['attributes of the repository', (repo) => repo.write('.git/info/attributes', CRLF)],
    [
      'attributes of yours',
      (repo) => {
        repo.write('.git/of-yours', CRLF);
        repo.git('config', 'core.attributesFile', repo.path('.git/of-yours'));
      },
    ],
    ['a setting', (repo) => repo.git('config', 'core.autocrlf', 'true')],
    [
      'a filter',
      (repo) => {
        repo.write('.gitattributes', '*.txt filter=loud\n');
        repo.git('config', 'filter.loud.smudge', 'tr a-z A-Z');
      },
    ],
  ];

  it.each(CONVERTED)('come from git where %s may change them', async (_what, prepare) => {
    const repo = makeRepository();
    prepare(repo);
    repo.write('a/b.txt', 'one\ntwo\n');
    repo.commitAll('next');
    const { here, byGit, asksGit } = await written(repo);
    expect(here).toEqual(byGit);
    expect(here.join()).not.toContain('one\ntwo\n');
    expect(asksGit).toBe(true);
  });

  it('come from git where the attributes are only in the tree', async () => {
    const repo = makeRepository({ '.gitattributes': CRLF });
    repo.write('b.txt', 'one\ntwo\n');
    repo.commitAll('next');
    repo.remove('.gitattributes');
    const { here, byGit, asksGit } = await written(repo);
    expect(here).toEqual(byGit);
    expect(here.join()).toContain('one\r\n');
    expect(asksGit).toBe(true);
  });

  it('come from git where they lie in a pack, or are many', async () => {
    const repo = makeRepository();
    repo.write('a.txt', 'a\n');
    repo.commitAll('next');
    repo.git('repack', '-q', '-a', '-d');
    expect(await written(repo)).toMatchObject({ asksGit: true });
    for (let at = 0; at < 101; at += 1) repo.write(`many/${at}.txt`, `${at}\n`);
    repo.commitAll('many');
    const { here, byGit, asksGit } = await written(repo);
    expect(here).toEqual(byGit);
    expect(asksGit).toBe(true);
  });
});
