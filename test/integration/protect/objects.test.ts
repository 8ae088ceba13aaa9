import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitProtection } from '../../../src/io/git/protect/git-protection.ts';
import { locate } from '../../../src/io/git/repository/locate.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

const PACKS = '.git/objects/pack';

async function protect(repo: TestRepository, folder = temporaryFolder()) {
  const located = await locate(repo.root);
  if (!located.ok) throw new Error(located.message);
  const setAside = temporaryFolder();
  const place = { setAside, shownAs: 'aside', keepUnder: 'refs/ralph/kept/1' };
  return { protection: gitProtection(located.tree, folder), folder, place };
}

const written = (repo: TestRepository, text: string) => {
  repo.write('.git/text', text);
  return repo.git('hash-object', '-w', '.git/text');
};

/** The file of one object under the name of another, which is returned. */
function forge(repo: TestRepository, content: string, lie: string): string {
  const id = written(repo, content);
  const file = repo.object(id);
  const other = repo.object(written(repo, lie));
  rmSync(file);
  copyFileSync(other, file);
  return id;
}

/** A pack with one object, which its index gives another name of the same first byte. */
function forgePack(repo: TestRepository, lie: string): { readonly pack: string; readonly named: string } {
  const id = written(repo, lie);
  const packed = repo.git('rev-parse', 'HEAD');
  const folder = repo.path(PACKS);
  mkdirSync(folder, { recursive: true });
  const name = execFileSync('git', ['pack-objects', '-q', join(folder, 'pack')], {
    ...{ cwd: repo.root, input: `${id}\n`, encoding: 'utf8' },
  });
  const pack = join(folder, `pack-${name.trim()}`);
  const index = readFileSync(`${pack}.idx`);
  const at = index.indexOf(Buffer.from(id, 'hex'));
  const named = id.slice(0, 2) + packed.slice(2);
  index.write(named, at, 'hex');
  chmodSync(`${pack}.idx`, 0o644);
  writeFileSync(`${pack}.idx`, index);
  rmSync(repo.object(id));
  return { pack, named };
}

describe('objects that git would believe', () => {
  it('a planted one is taken away, and what is what its name says stays', async () => {
    const repo = makeRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const honest = written(repo, 'an honest object\n');
    const forged = forge(repo, 'what comes\n', 'a lie\n');
    expect(repo.git('cat-file', 'blob', forged)).toBe('a lie');
    const found = await protection.restore(before, place);
    expect(found.map(({ path }) => path)).toEqual([`.git/objects/${forged.slice(0, 2)}/${forged.slice(2)}`]);
    expect(existsSync(repo.object(forged))).toBe(false);
    expect(existsSync(join(place.setAside, basename(found[0]?.setAside ?? '')))).toBe(true);
    expect(repo.git('cat-file', 'blob', honest)).toBe('an honest object');
    expect(await protection.restore(before, place)).toEqual([]);
  });

  it('a known one that was replaced comes back, also when ralph named new ones meanwhile', async () => {
    const repo = makeRepository({ a: 'the old content\n' });
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const id = repo.git('rev-parse', 'HEAD:a');
    forge(repo, 'the old content\n', 'a lie\n');
    expect(repo.git('show', 'HEAD:a')).toBe('a lie');
    await protection.follow(new Map());
    await protection.restore(before, place);
    expect(repo.git('cat-file', 'blob', id)).toBe('the old content');
  });

  it('one that is planted while ralph names new ones is not named', async () => {
    const repo = makeRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const forged = forge(repo, 'what comes\n', 'a lie\n');
    await protection.follow(new Map());
    await protection.restore(before, place);
    expect(existsSync(repo.object(forged))).toBe(false);
  });

  it('one that was planted before ralph was killed is taken away at the next start', async () => {
    const repo = makeRepository();
    const first = await protect(repo);
    const before = await first.protection.capture();
    const forged = forge(repo, 'what comes\n', 'a lie\n');
    const { protection, place } = await protect(repo, first.folder);
    await protection.restore(before, place);
    expect(existsSync(repo.object(forged))).toBe(false);
  });

  it('something that is no file in the place of one', async () => {
    const repo = makeRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const file = repo.object('ab'.repeat(20));
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
    await protection.restore(before, place);
    expect(existsSync(file)).toBe(false);
  });

  it('a pack whose index lies is taken away', async () => {
    const repo = makeRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const { pack, named } = forgePack(repo, 'a lie\n');
    expect(repo.git('cat-file', 'blob', named)).toBe('a lie');
    const found = await protection.restore(before, place);
    expect(found.length).toBeGreaterThanOrEqual(2);
    expect(existsSync(`${pack}.idx`)).toBe(false);
    expect(existsSync(`${pack}.pack`)).toBe(false);
  });

  it('a pack of an honest repacking stays, and so does one that is being written', async () => {
    const repo = makeRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    repo.git('repack', '-q', '-a');
    const half = repo.path(join(PACKS, 'pack-0123456789012345678901234567890123456789.pack'));
    writeFileSync(half, 'PACK');
    expect(await protection.restore(before, place)).toEqual([]);
    expect(readdirSync(repo.path(PACKS)).filter((name) => name.endsWith('.idx'))).toHaveLength(1);
    expect(existsSync(half)).toBe(true);
  });
});

/** Writes into a file that has no write permission, as an agent can that owns it. */
function overwrite(path: string, content: string | Buffer): void {
  chmodSync(path, 0o644);
  writeFileSync(path, content);
  chmodSync(path, 0o444);
}

/** All files of objects and packs. */
const filesOfObjects = (repo: TestRepository) =>
  readdirSync(repo.path('.git/objects'), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('info/'))
    .map((name) => repo.path(join('.git/objects', name)))
    .filter((path) => lstatSync(path).isFile());

const LARGE = 'some words, many of them\n'.repeat(200_000);
const FILES = { a: 'the old content\n', 'large.txt': LARGE };

/** A repository with a pack, objects of their own, and one that is too large to be read into memory. */
function mixedRepository(): TestRepository {
  const repo = makeRepository(FILES);
  repo.git('gc', '-q');
  repo.write('b', 'more\n');
  repo.git('add', '--', 'b');
  repo.git('-c', 'core.looseCompression=0', 'hash-object', '-w', 'large.txt');
  writeFileSync(repo.path('larger.txt'), `${LARGE}and more\n`);
  repo.git('-c', 'core.looseCompression=0', 'hash-object', '-w', 'larger.txt');
  repo.git('commit', '-q', '-m', 'second');
  return repo;
}

const isSound = (repo: TestRepository) => {
  repo.git('fsck', '--full', '--strict');
  expect(repo.git('show', 'HEAD:a')).toBe('the old content');
  expect(repo.git('show', 'HEAD:b')).toBe('more');
};

describe('objects that an agent writes into', () => {
  it.each<[string, (path: string) => void]>([
    ['emptied', (path) => truncateSync(path)],
    ['one byte longer', (path) => appendFileSync(path, 'x')],
    ['of another content and the same length', (path) => overwrite(path, Buffer.alloc(lstatSync(path).size))],
    ['removed', (path) => rmSync(path)],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      'a link',
      (path) => {
        rmSync(path);
        symlinkSync('/dev/null', path);
      },
    ],
  ])('%s, all of them are as they were', async (_, change) => {
    const repo = mixedRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const was = filesOfObjects(repo).map((path) => [path, readFileSync(path)] as const);
    expect(was.filter(([, { length }]) => length > 1024 * 1024)).toHaveLength(1);
    for (const [path] of was) change(path);
    await protection.restore(before, place);
    for (const [path, bytes] of was) expect(readFileSync(path).equals(bytes), path).toBe(true);
    isSound(repo);
    expect(await protection.restore(before, place)).toEqual([]);
  });

  it('is named once, and what only was touched is not', async () => {
    const repo = mixedRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    for (const path of filesOfObjects(repo)) chmodSync(path, 0o644);
    expect(await protection.restore(before, place)).toEqual([]);
    for (const path of filesOfObjects(repo)) truncateSync(path);
    expect(await protection.restore(before, place)).toEqual([
      { kind: 'git', path: '.git/objects', change: 'modified', setAside: null },
    ]);
  });

  it('comes back at the next start, also while ralph was adding to what it keeps', async () => {
    const repo = mixedRepository();
    const first = await protect(repo);
    const before = await first.protection.capture();
    appendFileSync(join(first.folder, 'objects/log'), '12.3456 1000000\nbegun');
    for (const path of filesOfObjects(repo)) truncateSync(path);
    const { protection, place } = await protect(repo, first.folder);
    await protection.restore(before, place);
    isSound(repo);
    const more = written(repo, 'more and more\n');
    const next = await protection.capture();
    truncateSync(repo.object(more));
    const { protection: third } = await protect(repo, first.folder);
    await third.restore(next, place);
    expect(repo.git('cat-file', 'blob', more)).toBe('more and more');
  });

  it('an object that git stored in another form is one that is intact', async () => {
    const repo = makeRepository();
    const id = written(repo, 'words\n');
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    rmSync(repo.object(id));
    repo.git('-c', 'core.looseCompression=0', 'hash-object', '-w', '.git/text');
    const stored = readFileSync(repo.object(id));
    expect(await protection.restore(before, place)).toEqual([]);
    expect(readFileSync(repo.object(id)).equals(stored)).toBe(true);
  });

  it('where the copy is damaged, too, that is said', async () => {
    const repo = mixedRepository();
    const { protection, place, folder } = await protect(repo);
    const before = await protection.capture();
    const [pack = ''] = filesOfObjects(repo).filter((path) => path.endsWith('.pack'));
    rmSync(join(folder, 'objects', `pack.${basename(pack)}`));
    truncateSync(pack);
    await expect(protection.restore(before, place)).rejects.toThrow(
      `${pack} was overwritten, and ralph has no copy`,
    );
  });
});

describe('folders of objects that an agent replaces', () => {
  it.each<[string, (path: string, away: string) => void]>([
    ['by a link to where they are now', (path, away) => symlinkSync(away, path)],
    ['by a link to nothing', (path, away) => symlinkSync(`${away}/nothing`, path)],
    ['by a file', (path) => writeFileSync(path, '')],
  ])('%s', async (_, replace) => {
    for (const folder of ['pack', 'all', 'HEAD:b']) {
      const repo = mixedRepository();
      const { protection, place } = await protect(repo);
      const before = await protection.capture();
      const path =
        folder === 'pack'
          ? repo.path(PACKS)
          : folder === 'all'
            ? repo.path('.git/objects')
            : dirname(repo.object(folder));
      const away = join(temporaryFolder(), 'away');
      renameSync(path, away);
      replace(path, away);
      await protection.restore(before, place);
      expect(lstatSync(path).isDirectory(), folder).toBe(true);
      isSound(repo);
    }
  });

  it('what was written through a link stays', async () => {
    const repo = mixedRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const away = join(temporaryFolder(), 'away');
    renameSync(repo.path('.git/objects'), away);
    symlinkSync(away, repo.path('.git/objects'));
    repo.write('c', 'new\n');
    repo.git('add', '--', 'c');
    repo.git('commit', '-q', '-m', 'third');
    await protection.restore(before, place);
    rmSync(away, { recursive: true });
    isSound(repo);
    expect(repo.git('show', 'HEAD:c')).toBe('new');
  });

  it('a link of yours stays', async () => {
    const repo = mixedRepository();
    const away = join(temporaryFolder(), 'packs');
    renameSync(repo.path(PACKS), away);
    symlinkSync(away, repo.path(PACKS));
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    expect(await protection.restore(before, place)).toEqual([]);
    expect(lstatSync(repo.path(PACKS)).isSymbolicLink()).toBe(true);
  });
});
