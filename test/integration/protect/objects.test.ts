import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
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
    protection.follow(new Map());
    await protection.restore(before, place);
    expect(repo.git('cat-file', 'blob', id)).toBe('the old content');
  });

  it('one that is planted while ralph names new ones is not named', async () => {
    const repo = makeRepository();
    const { protection, place } = await protect(repo);
    const before = await protection.capture();
    const forged = forge(repo, 'what comes\n', 'a lie\n');
    protection.follow(new Map());
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
