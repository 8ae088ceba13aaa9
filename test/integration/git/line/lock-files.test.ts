import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf, treeWith, verified } from '../../../helpers/line/results.ts';
import { openTestGit } from '../../../helpers/open-test-git.ts';
import { makeRepository } from '../../../helpers/repository.ts';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** What two sides make of these lines merges by lines, and no tool wrote that. */
const text = (changes: Readonly<Record<string, string>> = {}) =>
  `${LINES.map((line) => changes[line] ?? line).join('\n')}\n`;
const FIRST = text({ a: 'first' });
const LAST = text({ h: 'last' });
const BOTH = text({ a: 'first', h: 'last' });
const GREEN = async () => true;

async function site(path: string) {
  const repo = makeRepository({ [path]: text(), 'package.json': text(), 'a.txt': 'a\n' });
  return { repo, line: await lineOf(repo.root) };
}

describe.each(['package-lock.json', 'packages/a/yarn.lock'])('%s, which two results changed', (path) => {
  it('is as on the line in what would land, while its manifest is merged by lines', async () => {
    const { repo, line } = await site(path);
    const start = repo.git('rev-parse', 'HEAD');
    await verified(repo.root, line, 'T-1', { [path]: FIRST, 'package.json': FIRST });
    await verified(repo.root, line, 'T-2', { 'a.txt': 'two\n' });
    const tree = treeWith(repo.root, start, { [path]: LAST, 'package.json': LAST });
    const joined = await line.join({ parent: start, tree });
    expect(joined?.locks).toEqual([{ path, taskIds: ['T-1'] }]);
    expect(joined?.taskIds.toSorted()).toEqual(['T-1', 'T-2']);
    expect(`${repo.git('show', `${joined?.tree}:${path}`)}\n`).toBe(FIRST);
    expect(`${repo.git('show', `${joined?.tree}:package.json`)}\n`).toBe(BOTH);
  });

  it('is merged by lines nowhere: its result is replayed on no other change of it', async () => {
    const { repo, line } = await site(path);
    await verified(repo.root, line, 'T-1', { [path]: FIRST });
    repo.write(path, LAST);
    repo.git('commit', '-qam', 'mine');
    const { landed, conflicting } = await line.land(GREEN);
    expect([landed, conflicting.map(({ taskId }) => taskId)]).toEqual([[], ['T-1']]);
    expect(repo.read(path)).toBe(LAST);
  });

  it('and only you take out an earlier result of it', async () => {
    const { repo, line } = await site(path);
    await verified(repo.root, line, 'T-1', { [path]: FIRST });
    await verified(repo.root, line, 'T-2', { [path]: BOTH });
    await line.land(GREEN);
    expect(await line.revert(['T-1'])).toMatchObject({
      kind: 'waits',
      waiting: { why: 'your_change', paths: [path] },
    });
    expect(await line.revert(['T-2'])).toMatchObject({ kind: 'reverted', paths: [path] });
    expect(repo.read(path)).toBe(FIRST);
  });
});

it.each<[string, string | null, string]>([
  ['nothing is made anew where one side alone changed it', text(), LAST],
  ['nor where both made the same of it', FIRST, FIRST],
])('%s', async (_what, mine, result) => {
  const { repo, line } = await site('uv.lock');
  const start = repo.git('rev-parse', 'HEAD');
  await verified(repo.root, line, 'T-1', { 'uv.lock': mine, 'a.txt': 'one\n' });
  const joined = await line.join({ parent: start, tree: treeWith(repo.root, start, { 'uv.lock': result }) });
  expect(joined?.locks).toEqual([]);
  expect(`${repo.git('show', `${joined?.tree}:uv.lock`)}\n`).toBe(result);
});

it('a lock file that one deleted and the other changed is a conflict', async () => {
  const { repo, line } = await site('uv.lock');
  const start = repo.git('rev-parse', 'HEAD');
  await verified(repo.root, line, 'T-1', { 'uv.lock': null });
  const joined = await line.join({ parent: start, tree: treeWith(repo.root, start, { 'uv.lock': LAST }) });
  expect(joined).toMatchObject({ tree: null, paths: ['uv.lock'] });
});

it('a copy gives its tree with files as they are in it now, and none without a file', async () => {
  const repo = makeRepository({ 'uv.lock': 'old\n', 'sub/go.sum': 'old\n', 'a.txt': 'a\n' });
  const git = await openTestGit(repo.root);
  const copy = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
  const inCopy = (path: string) => join(copy.mounted.files, path);
  writeFileSync(inCopy('uv.lock'), 'new\n');
  writeFileSync(inCopy('sub/go.sum'), 'new\n');
  writeFileSync(inCopy('a.txt'), 'other\n');
  const tree = await copy.treeWith(['uv.lock', 'sub/go.sum']);
  expect(repo.git('diff', '--name-only', 'HEAD', tree ?? '').split('\n')).toEqual(['sub/go.sum', 'uv.lock']);
  expect(await copy.treeWith(['gone.lock'])).toBeNull();
});
