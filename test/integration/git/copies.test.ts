import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Showing, ShownCopy } from '../../../src/domain/box/box.ts';
import { hasLayers } from '../../../src/io/box/index.ts';
import { boxesOf, isWholeBox } from '../../helpers/boxed.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

const OLD = new Date('2020-01-01T00:00:00Z');

function repository(): TestRepository {
  const made = makeRepository({
    'src/a.ts': 'export const a = 1;\n',
    'run.sh': '#!/bin/sh\n',
    'odd \n"name".txt': 'odd\n',
    '.gitignore': 'node_modules/\n.env\ndist/\n',
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

async function opened(repo: TestRepository, showing: Showing = 'layers') {
  const git = await openTestGit(repo.root, {}, showing);
  return { git, copy: await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}')) };
}
const read = ({ files }: ShownCopy, path: string) => readFileSync(join(files, path), 'utf8');

describe('a copy of the work tree', () => {
  it('holds the files of a tree as they are, with their times, and nothing of ralph', async () => {
    const repo = repository();
    const { copy } = await opened(repo);
    const { files } = copy.shown;
    expect(read(copy.shown, 'odd \n"name".txt')).toBe('odd\n');
    expect(lstatSync(join(files, 'src/a.ts')).mtime).toEqual(OLD);
    expect(lstatSync(join(files, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(files, 'link'))).toBe('src/a.ts');
    expect(existsSync(join(files, '.ralph/PRD.md'))).toBe(false);
    expect(existsSync(join(files, 'node_modules'))).toBe(false);
    expect(await copy.changed()).toEqual([]);
  });

  it('holds what is committed, whatever is edited, missing or new in the checkout', async () => {
    const repo = repository();
    repo.write('src/a.ts', 'edited\n');
    repo.remove('run.sh');
    repo.write('new.txt', 'new\n');
    const { copy } = await opened(repo);
    expect(read(copy.shown, 'src/a.ts')).toBe('export const a = 1;\n');
    expect(existsSync(join(copy.shown.files, 'run.sh'))).toBe(true);
    expect(existsSync(join(copy.shown.files, 'new.txt'))).toBe(false);
    expect(repo.read('src/a.ts')).toBe('edited\n');
  });

  it('is brought to another tree in its old place, and nothing of before is left', async () => {
    const repo = repository();
    const { git, copy } = await opened(repo);
    const { files } = copy.shown;
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
    repo.git('commit', '-qam', 'second');
    const again = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(again.shown.files).toBe(files);
    expect(read(again.shown, 'src/a.ts')).toBe('export const a = 2;\n');
    expect(readlinkSync(join(files, 'link'))).toBe('src/a.ts');
    expect(['dist', 'z'].filter((name) => existsSync(join(files, name)))).toEqual([]);
    expect(await again.changed()).toEqual([]);
  });

  it('has a place of its own while another one is open', async () => {
    const repo = repository();
    const { git, copy } = await opened(repo);
    const other = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(other.shown.files).not.toBe(copy.shown.files);
  });

  it('of a repository that was made anew at its path has nothing of the old one', async () => {
    const repo = repository();
    const { copy } = await opened(repo);
    execFileSync('sh', ['-c', 'mkdir -p dist; echo old > dist/old'], { cwd: copy.shown.files });
    rmSync(repo.path('.git'), { recursive: true });
    execFileSync(
      'sh',
      ['-c', 'git init -q && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm new'],
      {
        cwd: repo.root,
      },
    );
    const again = await opened(repo);
    expect(again.copy.shown.files).toBe(copy.shown.files);
    expect(existsSync(join(copy.shown.files, 'dist'))).toBe(false);
  });

  it('where no box shows it, is a repository of its own with all commits', async () => {
    const repo = repository();
    const { copy } = await opened(repo, 'elsewhere');
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: copy.shown.files, encoding: 'utf8' }).trim();
    expect(git('rev-parse', 'HEAD')).toBe(repo.git('rev-parse', 'HEAD'));
    expect(git('status', '--porcelain', '--', 'src')).toBe('');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'mine');
    expect(repo.git('log', '--format=%s')).not.toContain('mine');
  });
});

const layers = isWholeBox && hasLayers(temporaryFolder(), false);

describe.runIf(isWholeBox).each<[Showing]>(layers ? [['layers'], ['whole']] : [['whole']])(
  'in a box that shows a copy: %s',
  (showing) => {
    const inBox = async (repo: TestRepository, command: string) => {
      const { copy } = await opened(repo, showing);
      const said = boxesOf(repo.root)('agent', command, copy.shown);
      return { said, changed: await copy.changed(), copy };
    };

    it("it is seen at the checkout's path, with what is ignored there, and git answers", async () => {
      const repo = repository();
      repo.write('src/a.ts', 'edited by the user\n');
      const { said } = await inBox(
        repo,
        `pwd; cat ${repo.path('src/a.ts')} node_modules/dep/index.js .env .ralph/PRD.md; git log --format=%s | head -1`,
      );
      expect(said.output).toBe(`${repo.root}\nexport const a = 1;\ndep\nSECRET=1\n- [ ] One\nstart\n`);
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
      const { said, changed } = await inBox(repo, `${acts}; ls node_modules; cat .env`);
      expect(said.output).toContain('fresh\nnew\n');
      expect(changed.toSorted()).toEqual(['src/a.ts', 'src/b.ts']);
      expect([repo.read('src/a.ts'), repo.read('.env')]).toEqual(['export const a = 1;\n', 'SECRET=1\n']);
      expect(repo.read('node_modules/dep/index.js')).toBe('dep\n');
      expect(repo.read('.ralph/PRD.md')).toBe('- [ ] One\n');
      expect(repo.git('status', '--porcelain')).toBe('');
    });

    it('the next one begins with what is ignored as it is in the checkout', async () => {
      const repo = repository();
      const { git, copy } = await opened(repo, showing);
      const box = boxesOf(repo.root);
      box('agent', 'rm -rf node_modules; echo changed > .env', copy.shown);
      copy.close();
      const next = await git.copyTree(repo.git('rev-parse', 'HEAD^{tree}'));
      expect(box('agent', 'cat node_modules/dep/index.js .env', next.shown).output).toBe('dep\nSECRET=1\n');
    });
  },
);
