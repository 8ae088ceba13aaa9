/** @module-tag rest */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { layersProblem } from 'ralph-box';
import type { MountedCopy, MountMode } from 'ralph-box/protocol';
import { describe, expect, it } from 'vitest';
import { openGit } from '../../../src/git/index.ts';
import { boxesOf, isWholeBox } from '../../helpers/boxed.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../helpers/repository.ts';

const OLD = new Date('2020-01-01T00:00:00Z');

function repository(): TestRepository {
  const made = makeRepository({
    'src/a.ts': 'export const a = 1;\n',
    'run.sh': '#!/bin/sh\n',
    'odd \n"name".txt': 'odd\n',
    '.gitignore': 'node_modules/\n.env\ndist/\nplan.md\n',
    '.ralph/PRD.md': '- [ ] One\n',
  });
  chmodSync(made.path('run.sh'), 0o755);
  symlinkSync('src/a.ts', made.path('link'));
  made.git('add', '-A');
  made.git('commit', '-q', '-m', 'start');
  made.write('node_modules/dep/index.js', 'dep\n');
  made.write('.env', 'SECRET=1\n');
  utimesSync(made.path('src/a.ts'), OLD, OLD);
  return made;
}

async function opened(repo: TestRepository, showing: MountMode = 'layers') {
  const git = await openTestGit(repo.root, {}, showing);
  return { git, copy: await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}')) };
}
const read = ({ files }: MountedCopy, path: string) => readFileSync(join(files, path), 'utf8');

describe('a copy of the work tree', () => {
  it('holds the files of a tree as they are, with their times, and nothing of ralph', async () => {
    const repo = repository();
    const { copy } = await opened(repo);
    const { files } = copy.mounted;
    expect(read(copy.mounted, 'odd \n"name".txt')).toBe('odd\n');
    expect(lstatSync(join(files, 'src/a.ts')).mtime).toEqual(OLD);
    expect(lstatSync(join(files, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(files, 'link'))).toBe('src/a.ts');
    expect(existsSync(join(files, '.ralph/PRD.md'))).toBe(false);
    expect(existsSync(join(files, 'node_modules'))).toBe(false);
    expect(await copy.changed()).toEqual([]);
  });

  it("isn't another one because another process opens the repository: what says whose copies these are is written once", async () => {
    const repo = repository();
    const { copy } = await opened(repo);
    const place = join(copy.mounted.folder, '..', 'of');
    const before = statSync(place, { bigint: true });
    const again = await openTestGit(repo.root, {}, 'layers');
    expect(again.work(1).base()).toBeNull();
    const { ino, ctimeNs } = statSync(place, { bigint: true });
    expect([ino, ctimeNs]).toEqual([before.ino, before.ctimeNs]);
    expect(read(copy.mounted, 'src/a.ts')).toBe('export const a = 1;\n');
  });

  it('holds what is committed, whatever is edited, missing or new in the checkout', async () => {
    const repo = repository();
    repo.write('src/a.ts', 'edited\n');
    repo.remove('run.sh');
    repo.write('new.txt', 'new\n');
    const { copy } = await opened(repo);
    expect(read(copy.mounted, 'src/a.ts')).toBe('export const a = 1;\n');
    expect(existsSync(join(copy.mounted.files, 'run.sh'))).toBe(true);
    expect(existsSync(join(copy.mounted.files, 'new.txt'))).toBe(false);
    expect(repo.read('src/a.ts')).toBe('edited\n');
  });

  it('is brought to another tree in its old place, and nothing of before is left', async () => {
    const repo = repository();
    const { git, copy } = await opened(repo);
    const { files } = copy.mounted;
    execFileSync(
      'sh',
      [
        '-c',
        'echo x > src/a.ts; rm run.sh; mkdir -p dist/x; echo y > dist/x/y; echo z > z; rm link; mkdir link',
      ],
      {
        cwd: files,
      },
    );
    expect((await copy.changed()).toSorted()).toEqual(['link', 'run.sh', 'src/a.ts', 'z']);
    copy.close();
    repo.write('src/a.ts', 'export const a = 2;\n');
    repo.write('.ralph/PRD.md', '- [x] One\n');
    repo.git('commit', '-qam', 'second');
    const again = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(again.mounted.files).toBe(files);
    expect(read(again.mounted, 'src/a.ts')).toBe('export const a = 2;\n');
    expect(readlinkSync(join(files, 'link'))).toBe('src/a.ts');
    expect(['dist', 'z', '.ralph/PRD.md'].filter((name) => existsSync(join(files, name)))).toEqual([]);
    expect(await again.changed()).toEqual([]);
  });

  it('shows nothing of a file of ralph that its tree has and the one before had not', async () => {
    const repo = repository();
    const { git, copy } = await opened(repo);
    copy.close();
    repo.write('.ralph/NOTES.md', 'notes\n');
    repo.git('add', '-f', '.ralph/NOTES.md');
    repo.git('commit', '-qm', 'second');
    const again = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(existsSync(join(again.mounted.files, '.ralph/NOTES.md'))).toBe(false);
    expect(await again.changed()).toEqual([]);
  });

  it('gives what agents take orders from no second name', async () => {
    const repo = repository();
    repo.write('plan.md', '- [ ] One\n');
    await opened(repo);
    expect(lstatSync(repo.path('plan.md')).nlink).toBe(1);
    expect(lstatSync(repo.path('.env')).nlink).toBe(2);
  });

  it('has a place of its own while another one is open', async () => {
    const repo = repository();
    const { git, copy } = await opened(repo);
    const other = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(other.mounted.files).not.toBe(copy.mounted.files);
  });

  it('of a repository that was made anew at its path has nothing of the old one', async () => {
    const repo = repository();
    const { copy } = await opened(repo);
    execFileSync('sh', ['-c', 'mkdir -p dist; echo old > dist/old'], { cwd: copy.mounted.files });
    rmSync(repo.path('.git'), { recursive: true });
    execFileSync(
      'sh',
      ['-c', 'git init -q && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm new'],
      {
        cwd: repo.root,
      },
    );
    const again = await opened(repo);
    expect(again.copy.mounted.files).toBe(copy.mounted.files);
    expect(existsSync(join(copy.mounted.files, 'dist'))).toBe(false);
  });

  it('where no box shows it, is a repository of its own with all commits', async () => {
    const repo = repository();
    const { copy } = await opened(repo, 'elsewhere');
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: copy.mounted.files, encoding: 'utf8' }).trim();
    expect(git('rev-parse', 'HEAD')).toBe(repo.git('rev-parse', 'HEAD'));
    expect(git('status', '--porcelain', '--', 'src')).toBe('');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'mine');
    expect(repo.git('log', '--format=%s')).not.toContain('mine');
  });
});

describe('a copy of', () => {
  const treeOf = (repo: TestRepository) => repo.git('rev-parse', 'HEAD^{tree}');

  it('a repository with SHA-256 ids', async () => {
    const folder = temporaryFolder();
    execFileSync('git', ['init', '-q', '--object-format=sha256', folder]);
    const repo = repositoryAt(folder);
    repo.write('a.txt', 'a\n');
    repo.commitAll('start');
    const { copy } = await opened(repo);
    expect(read(copy.mounted, 'a.txt')).toBe('a\n');
    expect(await copy.changed()).toEqual([]);
  });

  it('a linked work tree, beside those of the main one', async () => {
    const repo = repository();
    const linked = join(temporaryFolder(), 'linked');
    repo.git('worktree', 'add', '-q', linked, '-b', 'other');
    const [main, other] = [await opened(repo), await opened(repositoryAt(linked))];
    expect(other.copy.mounted.files).not.toBe(main.copy.mounted.files);
    expect(read(other.copy.mounted, 'src/a.ts')).toBe('export const a = 1;\n');
    expect(await other.copy.changed()).toEqual([]);
  });

  it('files that a filter stores otherwise, with their times', async () => {
    const repo = repository();
    repo.git('config', 'filter.up.clean', 'tr a-z A-Z');
    repo.git('config', 'filter.up.smudge', 'tr A-Z a-z');
    repo.write('.gitattributes', '*.up filter=up\n');
    repo.write('word.up', 'word\n');
    repo.commitAll('filtered');
    utimesSync(repo.path('word.up'), OLD, OLD);
    const { copy } = await opened(repo);
    expect(repo.git('show', 'HEAD:word.up')).toBe('WORD');
    expect(read(copy.mounted, 'word.up')).toBe('word\n');
    expect(lstatSync(join(copy.mounted.files, 'word.up')).mtime).toEqual(OLD);
    expect(await copy.changed()).toEqual([]);
  });

  it('a checkout on another disk than the state folder, in its git folder', async () => {
    const repo = repository();
    const elsewhere = '/dev/shm';
    if (!existsSync(elsewhere) || statSync(elsewhere).dev === statSync(repo.root).dev) return;
    const home = mkdtempSync(join(elsewhere, 'ralph-test-'));
    try {
      const found = await openGit({ root: repo.root });
      if (!found.ok) throw new Error(found.message);
      const git = await found.git(home, {}, undefined, {
        showing: () => 'layers',
        leftOut: () => [],
        heldOut: () => [],
        seed: [],
      });
      const copy = await git.copyTree(treeOf(repo));
      expect(copy.mounted.files.startsWith(repo.path('.git/ralph/'))).toBe(true);
      expect(repo.git('status', '--porcelain')).toBe('');
      expect(await copy.changed()).toEqual([]);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

const layers = isWholeBox && layersProblem(temporaryFolder(), false) === null;

describe.runIf(isWholeBox).each<[MountMode]>(layers ? [['layers'], ['whole']] : [['whole']])(
  'in a box that shows a copy: %s',
  (showing) => {
    const inBox = async (repo: TestRepository, command: string) => {
      const { copy } = await opened(repo, showing);
      const ran = boxesOf(repo.root)('agent', command, copy.mounted);
      return { ran, changed: await copy.changed(), copy };
    };

    it("it is seen at the checkout's path, with what is ignored there, and git answers", async () => {
      const repo = repository();
      repo.write('src/a.ts', 'edited by the user\n');
      const { ran } = await inBox(
        repo,
        `pwd; cat ${repo.path('src/a.ts')} node_modules/dep/index.js .env .ralph/PRD.md; git log --format=%s | head -1`,
      );
      expect(ran.output).toBe(`${repo.root}\nexport const a = 1;\ndep\nSECRET=1\n- [ ] One\nstart\n`);
    });

    it('what is written, removed, moved and made anew in it changes nothing of the checkout', async () => {
      const repo = repository();
      linkSync(repo.path('node_modules/dep/index.js'), join(temporaryFolder(), 'second-name'));
      const acts = [
        'echo hacked > src/a.ts',
        'echo hacked > node_modules/dep/index.js',
        'rm .env',
        'echo new > .env',
        'rm -rf node_modules',
        'mkdir node_modules',
        'echo fresh > node_modules/fresh',
        `rm -rf ${repo.path('src')}`,
        'mkdir src && echo 2 > src/b.ts',
        'echo hacked > .ralph/PRD.md',
      ].join('; ');
      const { ran, changed } = await inBox(repo, `${acts}; ls node_modules; cat .env`);
      expect(ran.output).toContain('fresh\nnew\n');
      expect(changed.toSorted()).toEqual(['src/a.ts', 'src/b.ts']);
      expect([repo.read('src/a.ts'), repo.read('.env')]).toEqual(['export const a = 1;\n', 'SECRET=1\n']);
      expect(repo.read('node_modules/dep/index.js')).toBe('dep\n');
      expect(repo.read('.ralph/PRD.md')).toBe('- [ ] One\n');
      expect(repo.git('status', '--porcelain')).toBe('');
    });

    it('the files of a submodule are there, and no change of them counts', async () => {
      const inner = makeRepository({ 'lib.ts': 'lib\n' });
      const repo = repository();
      repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
      repo.commitAll('with a submodule');
      const { ran, changed } = await inBox(repo, 'cat sub/lib.ts; echo hacked > sub/lib.ts; cat sub/lib.ts');
      expect(ran.output).toBe('lib\nhacked\n');
      expect(changed).toEqual([]);
      expect(repo.read('sub/lib.ts')).toBe('lib\n');
    });

    it('has a git folder of its own: what is done in it reaches nothing of the repository', async () => {
      const repo = repository();
      repo.git('branch', 'other');
      repo.git('tag', 'v1');
      repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho hook ran\n', 0o755);
      const known = () => [
        repo.git('for-each-ref'),
        repo.git('fsck', '--no-progress'),
        repo.read('.git/config'),
        repo.read('.git/HEAD'),
        readFileSync(repo.path('.git/index')).toString('base64'),
        readFileSync(repo.path('.git/logs/HEAD'), 'utf8'),
      ];
      repo.git('status');
      const before = known();
      const acts = [
        'git status --porcelain',
        'git branch --list',
        'echo 2 > src/a.ts',
        'git stash -q',
        'git stash pop -q',
        'git -c user.name=a -c user.email=a@b.c commit -qam mine',
        'git log --format=%s -1',
        'git branch -D other -q',
        'git update-ref -d refs/tags/v1',
        'git reflog expire --expire=now --all',
        'git gc -q --prune=now',
        'git config core.hooksPath /tmp',
        `git -C ${repo.root} checkout -q -b new`,
        'git rev-parse --abbrev-ref HEAD',
      ].join(' && ');
      const { ran } = await inBox(repo, acts);
      expect(ran.output).toBe('* main\n  other\nmine\nnew\nhook ran\n');
      expect(known()).toEqual(before);
    });

    it('has no credentials of the repository', async () => {
      const repo = repository();
      repo.git('config', 'remote.origin.url', 'https://me:s3cr3t@example.com/x.git');
      repo.git('config', 'http.https://example.com/.extraheader', 'Authorization: s3cr3t');
      repo.git('config', 'credential.helper', 'store --file=s3cr3t');
      const { ran } = await inBox(repo, 'git config remote.origin.url; cat .git/config');
      expect(ran.output).toContain('https://example.com/x.git\n');
      expect(ran.output).not.toContain('s3cr3t');
    });

    it('is one of a linked work tree, too', async () => {
      const repo = repository();
      const linked = join(realpathSync(temporaryFolder()), 'linked');
      repo.git('worktree', 'add', '-q', linked, '-b', 'other');
      const { ran } = await inBox(
        repositoryAt(linked),
        'git status --porcelain; git rev-parse --abbrev-ref HEAD; git log --format=%s -1; cat node_modules/dep/index.js',
      );
      expect(ran.output).toMatch(/^other\nstart\n/);
    });

    it("folders without permissions don't block the next one", async () => {
      const repo = repository();
      repo.write('node_modules/locked/a', 'a\n');
      chmodSync(repo.path('node_modules/locked'), 0o555);
      const { git, copy } = await opened(repo, showing);
      const box = boxesOf(repo.root);
      box('agent', 'mkdir -p dist/shut/in; echo x > dist/shut/in/x; chmod 000 dist/shut', copy.mounted);
      copy.close();
      repo.write('node_modules/more', 'more\n');
      const next = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
      expect(box('agent', 'ls; cat node_modules/locked/a', next.mounted).output).not.toContain('dist');
      chmodSync(repo.path('node_modules/locked'), 0o755);
    });

    it('the next one begins with what is ignored as it is in the checkout', async () => {
      const repo = repository();
      const { git, copy } = await opened(repo, showing);
      const box = boxesOf(repo.root);
      box('agent', 'rm -rf node_modules; echo changed > .env', copy.mounted);
      copy.close();
      const next = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
      expect(box('agent', 'cat node_modules/dep/index.js .env', next.mounted).output).toBe('dep\nSECRET=1\n');
    });
  },
);

describe.runIf(layers)('what git ignores, below the next copies', () => {
  const layerFolders = (copy: MountedCopy, name: string) =>
    readdirSync(join(copy.folder, '..', 'layers', name)).filter((one) => !one.endsWith('.walk'));
  const opening = async (repo: TestRepository) => {
    const git = await openTestGit(repo.root, {}, 'layers');
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    const base = { commit: repo.git('rev-parse', 'HEAD'), tree, branch: 'main', taskId: null };
    const box = boxesOf(repo.root);
    return {
      clean: () =>
        git.cleanCopy({
          tree,
          base,
          head: { commit: base.commit },
          keep: ['dist'],
          files: [],
          outside: false,
        }),
      read: ({ mounted }: { readonly mounted: MountedCopy }, path: string) =>
        box('gate', `cat ${path}`, mounted).output,
    };
  };

  it('a nested file is the one of now, whether it was replaced, written in place, added or removed', async () => {
    const repo = repository();
    repo.write('node_modules/dep/lib/gone.js', 'gone\n');
    const { clean, read: see } = await opening(repo);
    (await clean()).close();
    repo.write('node_modules/dep/lib/new.js', 'new\n');
    repo.write('node_modules/dep/index.js', 'in place\n');
    repo.write('node_modules/dep/other.js', 'other\n');
    renameSync(repo.path('node_modules/dep/other.js'), repo.path('node_modules/dep/lib/gone.js'));
    repo.write('dist/a/b.js', 'built\n');
    const second = await clean();
    expect(see(second, 'node_modules/dep/index.js node_modules/dep/lib/* dist/a/b.js')).toBe(
      'in place\nother\nnew\nbuilt\n',
    );
    second.close();
    rmSync(repo.path('node_modules/dep/lib'), { recursive: true });
    repo.write('dist/a/b.js', 'anew\n');
    const third = await clean();
    expect(see(third, 'node_modules/dep/lib dist/a/b.js')).toMatch(/^anew\n.*No such file or directory\n$/);
    expect(['installed', 'kept'].map((name) => layerFolders(third.mounted, name))).toEqual([['1'], ['1']]);
  });

  it('what one copy sees stays as it is while it is open', async () => {
    const repo = repository();
    repo.write('dist/a.js', 'one\n');
    const { clean, read: see } = await opening(repo);
    const first = await clean();
    repo.write('dist/a.js', 'two\n');
    repo.write('node_modules/dep/more.js', 'more\n');
    const second = await clean();
    expect(see(first, 'dist/a.js')).toBe('one\n');
    expect(see(first, 'node_modules/dep/more.js')).toContain('No such file');
    expect(see(second, 'dist/a.js node_modules/dep/more.js')).toBe('two\nmore\n');
    first.close();
    second.close();
  });

  it("what is built isn't a second name, and what is installed is one", async () => {
    const repo = repository();
    repo.write('dist/a.js', 'one\n');
    const { clean } = await opening(repo);
    await clean();
    expect(lstatSync(repo.path('dist/a.js')).nlink).toBe(1);
    expect(lstatSync(repo.path('node_modules/dep/index.js')).nlink).toBe(2);
  });
});

it('what a copy takes and what is free beside it is known once the first worker has one', async () => {
  const repo = repository();
  repo.write('large.txt', 'x'.repeat(1_000_000));
  repo.git('add', 'large.txt');
  repo.git('commit', '-q', '-m', 'large');
  const git = await openTestGit(repo.root);
  expect(await git.room()).toBeNull();
  const [commit, tree] = [repo.git('rev-parse', 'HEAD'), repo.git('rev-parse', 'HEAD^{tree}')];
  await git.work(1).reset({ commit, tree, branch: 'main', taskId: null }, tree);
  const room = await git.room();
  expect(room?.copy).toBeGreaterThan(1_000_000);
  expect(room?.copy).toBeLessThan(3_000_000);
  expect(room?.free).toBeGreaterThan(0);
});
