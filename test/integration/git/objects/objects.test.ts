/** @module-tag rest */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { repositoryFormat } from '../../../../src/git/objects/repository-format.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { makeObjects, openTestObjects } from '../../../helpers/objects/open-test-objects.ts';
import { randomNumbers } from '../../../helpers/random-tree.ts';
import { makeRepository, runTestGit } from '../../../helpers/repository.ts';

const WHO = 'A U Thor <author@example.com> 1700000000 +0130';
const THEY = 'C O Mitter <committer@example.com> 1700000100 -0800';
const SAME = {
  GIT_AUTHOR_NAME: 'A U Thor',
  GIT_AUTHOR_EMAIL: 'author@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0130',
  GIT_COMMITTER_NAME: 'C O Mitter',
  GIT_COMMITTER_EMAIL: 'committer@example.com',
  GIT_COMMITTER_DATE: '1700000100 -0800',
};

it.each(['sha1', 'sha256'] as const)(
  'a commit is the one that git makes, and read as git reads it (%s)',
  async (format) => {
    const { objects, root } = makeObjects(format);
    const tree = await objects.edit(null, new Map());
    let parents: string[] = [];
    for (const message of [
      'one line',
      'a subject\n\nand a body\n',
      'ünï ☃\n',
      '',
      '\n\nblank before',
      'trailing \n\n\n',
    ]) {
      const made = await objects.writeCommit({ tree, parents, author: WHO, committer: THEY, message });
      const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
      expect(made).toBe(runTestGit(root, args, SAME, message));
      const read = await openTestObjects(root).objects.commit(made);
      expect(read).toMatchObject({
        id: made,
        tree,
        parents,
        author: WHO,
        committer: THEY,
        date: 1_700_000_100,
      });
      expect(`${read?.message}`.trim()).toBe(message.trim());
      parents = parents.length === 0 ? [made] : [made, ...parents];
    }
  },
);

it('reads a commit with a signature, and leaves the message of another encoding to git', async () => {
  const { objects } = makeObjects();
  const tree = await objects.edit(null, new Map());
  const signature =
    'gpgsig -----BEGIN PGP SIGNATURE-----\n \n parent of nothing\n -----END PGP SIGNATURE-----';
  const head = `tree ${tree}\nauthor ${WHO}\ncommitter ${THEY}\n`;
  const signed = await objects.write('commit', Buffer.from(`${head}${signature}\n\nsubject\n\nbody\n`));
  expect(await objects.commit(signed)).toMatchObject({ parents: [], message: 'subject\n\nbody\n' });
  const latin = await objects.write('commit', Buffer.from(`${head}encoding ISO-8859-1\n\n\xe4\n`, 'latin1'));
  expect((await objects.commit(latin))?.message).toBeNull();
});

it('reads loose and packed objects alike, and gives null for what is not there', async () => {
  const repository = makeRepository({ 'a.txt': 'hello\n', 'big.bin': Buffer.alloc(3 * 2 ** 20, 'x') });
  const ids = repository
    .git('rev-list', '--objects', 'HEAD')
    .split('\n')
    .map((line) => line.slice(0, 40));
  const readAll = async () => {
    const { objects } = openTestObjects(repository.root);
    const all = await Promise.all(ids.map((id) => objects.read(id)));
    objects.end();
    return all;
  };
  const loose = await readAll();
  repository.git('repack', '-adq');
  repository.git('prune-packed');
  expect(await readAll()).toEqual(loose);
  expect(loose.map((one) => one?.kind).sort()).toEqual(['blob', 'blob', 'commit', 'tree']);
  const { objects } = openTestObjects(repository.root);
  expect(await objects.read('0'.repeat(40))).toBeNull();
  expect(await objects.commit(ids[1] as string)).toBeNull();
  await expect(objects.entries(ids[0] as string)).rejects.toThrow("isn't a tree, but a commit");
  await expect(objects.read('HEAD')).rejects.toThrow("isn't the id of an object");
});

it('believes no object whose content has another id', async () => {
  const { objects, root } = makeObjects();
  const honest = await objects.write('blob', Buffer.from('honest\n'));
  const file = join(root, '.git/objects', honest.slice(0, 2), honest.slice(2));
  chmodSync(file, 0o644);
  writeFileSync(file, deflateSync(Buffer.from('blob 6\0forged')));
  await expect(openTestObjects(root).objects.read(honest)).rejects.toThrow('its content has another id');
  writeFileSync(file, 'not compressed');
  await expect(openTestObjects(root).objects.read(honest)).rejects.toThrow('is damaged');
});

it('an object that was read is asked for again before it is relied on', async () => {
  const repository = makeRepository();
  const { objects } = openTestObjects(repository.root);
  const commit = repository.git('commit-tree', '-m', 'nothing names it', 'HEAD^{tree}');
  repository.git('update-ref', 'refs/heads/passing', commit);
  repository.git('repack', '-adq');
  expect(await objects.commit(commit)).not.toBeNull();
  expect(await objects.isThere(commit)).toBe(true);
  repository.git('update-ref', '-d', 'refs/heads/passing');
  repository.git('reflog', 'expire', '--expire=now', '--all');
  repository.git('gc', '-q', '--prune=now');
  expect(await objects.isThere(commit)).toBe(false);
  expect(await objects.isThere(repository.git('rev-parse', 'HEAD'))).toBe(true);
});

it('an id of a repository that counted in other ones is of nothing here', async () => {
  const { objects } = openTestObjects(makeRepository().root);
  expect(await objects.isThere('a'.repeat(64))).toBe(false);
});

it('finds its way when git packs everything anew between two questions', async () => {
  const repository = makeRepository();
  const { objects } = openTestObjects(repository.root);
  const before = repository.git('rev-parse', 'HEAD');
  repository.git('repack', '-adq');
  expect(await objects.commit(before)).not.toBeNull();
  repository.write('b.txt', 'b\n');
  const after = repository.commitAll('second');
  repository.git('repack', '-adq');
  expect(await objects.commit(after)).toMatchObject({ parents: [before], message: 'second\n' });
});

it('two writers of the same objects leave each of them once, and nothing else', async () => {
  const { root } = makeObjects();
  const folder = join(root, '.git/objects');
  const script = await bundle(new URL('../../../helpers/objects/writer.ts', import.meta.url));
  const writers = [1, 2].map(() => spawn(process.execPath, [script, folder], { stdio: 'inherit' }));
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
  expect(codes).toEqual([0, 0]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files).toHaveLength(200);
  expect(runTestGit(root, ['fsck', '--no-dangling'])).toBe('');
});

it('an object that is written again becomes young, so that housekeeping leaves it', async () => {
  const { objects, root } = makeObjects();
  const id = await objects.write('blob', Buffer.from('old\n'));
  const file = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
  runTestGit(root, ['hash-object', '-w', '--stdin'], {}, 'another\n');
  utimesSync(file, 1_000_000, 1_000_000);
  expect(await objects.write('blob', Buffer.from('old\n'))).toBe(id);
  expect(statSync(file).mtimeMs).toBeGreaterThan(1_000_000_000);
  expect(statSync(file).mode & 0o777).toBe(0o444);
});

it('says in which folder an object could not be written', async () => {
  const { objects, root } = makeObjects();
  rmSync(join(root, '.git/objects'), { recursive: true });
  writeFileSync(join(root, '.git/objects'), '');
  await expect(objects.write('blob', Buffer.from('x'))).rejects.toThrow(`${root}/.git/objects`);
});

it.each([1, 2])('a random history is walked as git walks it (seed %i)', async (seed) => {
  const { objects, root } = makeObjects();
  const random = randomNumbers(seed);
  const tree = await objects.edit(null, new Map());
  const commits: string[] = [];
  for (let at = 0; at < 25; at += 1) {
    const parents = [...new Set([1, 2].flatMap(() => commits[Math.floor(random() * (at + 2))] ?? []))];
    const message = `${at}`;
    commits.push(await objects.writeCommit({ tree, parents, author: WHO, committer: WHO, message }));
  }
  const pick = () => commits[Math.floor(random() * commits.length)] as string;
  for (let at = 0; at < 40; at += 1) {
    const [one, from] = [pick(), pick()];
    const listed = runTestGit(root, ['rev-list', from]).split('\n');
    expect([one, from, await objects.isReachable(one, from)]).toEqual([one, from, listed.includes(one)]);
  }
});

it('leaves a shallow history to git', async () => {
  const repository = makeRepository();
  const first = repository.git('rev-parse', 'HEAD');
  repository.write('b', 'b');
  const second = repository.commitAll('second');
  const { objects } = openTestObjects(repository.root);
  expect(await objects.isReachable(first, second)).toBe(true);
  repository.write('.git/shallow', `${second}\n`);
  expect(await objects.isReachable(first, second)).toBeNull();
});

it.each([
  [{}, false],
  [{ 'core.fsync': 'none' }, false],
  [{ 'core.fsync': 'loose-object' }, true],
  [{ 'core.fsync': 'objects' }, true],
  [{ 'core.fsync': 'committed' }, true],
  [{ 'core.fsync': 'added,-loose-object' }, true],
  [{ 'core.fsync': 'all' }, true],
  [{ 'core.fsync': 'index' }, false],
  [{ 'core.fsync': '-loose-object' }, false],
  [{ 'core.fsync': 'none,-index' }, false],
  [{ 'core.fsync': 'reference,derived-metadata' }, false],
  [{ 'core.fsyncobjectfiles': 'true' }, true],
  [{ 'core.fsyncobjectfiles': 'false' }, false],
  [{ 'core.fsync': 'index', 'core.fsyncobjectfiles': 'true' }, true],
] as const)('objects are synced where git syncs them: %j → %s', (settings, wanted) => {
  expect(repositoryFormat(new Map(Object.entries(settings))).syncsObjects).toBe(wanted);
  const { root } = makeObjects();
  const trace = join(root, 'trace');
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  // The tests' own environment switches syncing off.
  const env = { GIT_TRACE2_EVENT: trace, GIT_TEST_FSYNC: '1' };
  runTestGit(root, [...flags, 'hash-object', '-w', '--stdin'], env, 'x\n');
  const synced = readFileSync(trace, 'utf8').includes('fsync/hardware-flush');
  expect(synced).toBe(wanted);
});

it('leaves writing to git in repositories that it knows less of than git', () => {
  const writes = (settings: Readonly<Record<string, string>>) =>
    repositoryFormat(new Map(Object.entries(settings))).writes;
  expect(writes({})).toBe(true);
  expect(writes({ 'extensions.objectformat': 'sha256' })).toBe(true);
  expect(writes({ 'core.sharedrepository': 'group' })).toBe(false);
  expect(writes({ 'core.sharedrepository': '0660' })).toBe(false);
  expect(writes({ 'extensions.somethingnew': 'true' })).toBe(false);
});
