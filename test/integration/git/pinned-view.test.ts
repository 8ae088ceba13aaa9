/** @module-tag slow */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { configText, parseSettings } from 'ralph-kit/formats/git-config';
import { describe, expect, it } from 'vitest';
import { lineOf, verified } from '../../helpers/line/results.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

/** A program that leaves a trace and gives its input back. */
function tracing(repo: TestRepository) {
  const trace = repo.path('.git/trace');
  return { program: `touch '${trace}'; cat`, ran: () => repo.exists('.git/trace') };
}

/** What an agent may write into the repository so that git starts a program of its own. */
const PLANTED: readonly (readonly [name: string, plant: (repo: TestRepository, program: string) => void])[] =
  [
    [
      'a clean filter',
      (repo, program) => {
        repo.git('config', 'filter.x.clean', program);
        repo.write('.gitattributes', '* filter=x\n');
      },
    ],
    [
      'a filter process',
      (repo, program) => {
        repo.git('config', 'filter.x.process', program);
        repo.write('.git/info/attributes', '* filter=x\n');
      },
    ],
    [
      'a smudge filter',
      (repo, program) => {
        repo.git('config', 'filter.x.smudge', program);
        repo.write('.git/info/attributes', '* filter=x\n');
      },
    ],
    ['fsmonitor', (repo, program) => repo.git('config', 'core.fsmonitor', program)],
    [
      'include.path',
      (repo, program) => {
        const file = repo.path('.git/more');
        repo.git('config', '--file', file, 'filter.x.clean', program);
        repo.git('config', 'include.path', file);
        repo.write('.gitattributes', '* filter=x\n');
      },
    ],
    [
      "a work tree's own settings",
      (repo, program) => {
        repo.git('config', 'extensions.worktreeConfig', 'true');
        repo.git('config', '--worktree', 'core.fsmonitor', program);
      },
    ],
    [
      'a hooks folder',
      (repo, program) => {
        repo.write('hooks/pre-commit', `#!/bin/sh\n${program} </dev/null\n`, 0o755);
        chmodSync(repo.path('hooks/pre-commit'), 0o755);
        repo.git('config', 'core.hooksPath', repo.path('hooks'));
      },
    ],
    [
      'a signing program',
      (repo, program) => {
        repo.write('sign.sh', `#!/bin/sh\n${program}\n`, 0o755);
        repo.git('config', 'gpg.program', repo.path('sign.sh'));
        repo.git('config', 'commit.gpgSign', 'true');
      },
    ],
  ];

describe('settings that come up after git was opened', () => {
  it.each(PLANTED)('%s starts nothing', async (_name, plant) => {
    const repo = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const { program, ran } = tracing(repo);
    const git = await openTestGit(repo.root);
    const before = await git.snapshot();
    const line = git.line({ commits: true });
    await verified(repo.root, line, 'T-1', { 'b.txt': 'agent\n' });
    plant(repo, program);
    expect((await line.land(async () => true)).landed).toHaveLength(1);
    repo.write('a.txt', 'agent\n');
    const after = await git.snapshot();
    await git.diffWithPatch(before, after, 1000);
    await git.checkpoint('r-1', 1, after);
    await git.bringTree(after, before.tree);
    expect(ran()).toBe(false);
  });

  it('ignore rules outside of the work tree hide nothing', async () => {
    const repo = makeRepository();
    const git = await openTestGit(repo.root);
    const before = await git.snapshot();
    repo.write('.git/info/exclude', '*\n');
    repo.git('config', 'core.excludesFile', repo.path('.git/info/exclude'));
    repo.write('new.txt', 'agent\n');
    const { changes } = await git.diff(before, await git.snapshot());
    expect(changes.map(({ path }) => path)).toEqual(['new.txt']);
  });

  it('core.worktree sends git nowhere else', async () => {
    const repo = makeRepository();
    const git = await openTestGit(repo.root);
    const before = await git.snapshot();
    repo.git('config', 'core.worktree', temporaryFolder());
    repo.write('README.md', 'agent\n');
    const { changes } = await git.diff(before, await git.snapshot());
    expect(changes.map(({ path }) => path)).toEqual(['README.md']);
  });

  it('a repository that an agent makes names no programs', async () => {
    const repo = makeRepository({ 'a.txt': 'one\n' });
    const { program, ran } = tracing(repo);
    const git = await openTestGit(repo.root);
    const before = await git.snapshot();
    repo.git('init', '-q', 'sub');
    repo.write('sub/f.txt', 'one\n');
    repo.git('-C', 'sub', 'add', '-A');
    repo.git('-C', 'sub', 'commit', '-q', '-m', 'start');
    repo.git('-C', 'sub', 'config', 'filter.x.clean', program);
    repo.git('-C', 'sub', 'config', 'core.fsmonitor', program);
    repo.write('sub/.gitattributes', '* filter=x\n');
    repo.git(
      '-c',
      'core.fsmonitor=false',
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${repo.git('-C', 'sub', 'rev-parse', 'HEAD')},sub`,
    );
    repo.write('sub/f.txt', 'two\n');
    const { changes } = await git.diff(before, await git.snapshot());
    expect(changes.map(({ path }) => path)).toContain('sub');
    expect(ran()).toBe(false);
  });
});

describe('settings that were there before', () => {
  it.each(['sh tools/clean.sh %f', './tools/clean.sh', 'cat | "tools/clean.sh"'])(
    'a filter in the work tree, `%s`, stays the one of the start',
    async (command) => {
      const clean = '#!/bin/sh\ntr a-z A-Z\n';
      const repo = makeRepository({ '.gitattributes': 'a.txt filter=x\n', 'a.txt': 'one\n', cat: 'mine\n' });
      repo.write('tools/clean.sh', clean, 0o755);
      repo.git('config', 'filter.x.clean', command);
      const { program, ran } = tracing(repo);
      const git = await openTestGit(repo.root);
      await git.snapshot();
      repo.write('tools/clean.sh', `#!/bin/sh\n${program}\n`, 0o755);
      repo.write('a.txt', 'agent\n');
      const { tree } = await git.snapshot();
      expect(ran()).toBe(false);
      expect(repo.git('show', `${tree}:a.txt`)).toBe('AGENT');
    },
  );

  it('such a filter, once a new program of it has landed, too', async () => {
    const repo = makeRepository({
      '.gitattributes': '*.txt filter=x\n',
      'a.txt': 'one\n',
      'tools/clean.sh': 'cat\n',
    });
    repo.git('config', 'filter.x.clean', 'sh tools/clean.sh');
    const { program, ran } = tracing(repo);
    const line = await lineOf(repo.root);
    await verified(repo.root, line, 'T-1', { 'a.txt': 'agent\n', 'tools/clean.sh': `${program}\n` });
    expect((await line.land(async () => true)).landed).toHaveLength(1);
    await line.current();
    expect([repo.read('a.txt'), ran()]).toEqual(['agent\n', false]);
  });

  /** Of the shape of Git LFS: git holds a short text, and the content lies where `lfs.storage` says. */
  const LFS = `#!/bin/sh
set -e
store=$(git config lfs.storage || echo "$(git rev-parse --git-common-dir)/lfs")/objects
mkdir -p "$store"
case $1 in
  clean) cat > "$store/new"; id=$(git hash-object --no-filters "$store/new"); mv "$store/new" "$store/$id"; echo "pointer $id" ;;
  smudge) read -r word id; cat "$store/$id" ;;
esac
`;

  it('a filter like that of Git LFS cleans and smudges, its content stays in the git folder', async () => {
    const repo = makeRepository({ '.gitattributes': '*.bin filter=lfs\n' });
    const script = join(temporaryFolder(), 'lfs');
    writeFileSync(script, LFS, { mode: 0o755 });
    for (const name of ['clean', 'smudge']) repo.git('config', `filter.lfs.${name}`, `'${script}' ${name}`);
    repo.git('config', 'filter.lfs.required', 'true');
    repo.write('old.bin', 'old\n');
    repo.commitAll('large');
    const git = await openTestGit(repo.root);
    const before = await git.snapshot();
    repo.write('old.bin', 'agent\n');
    const after = await git.snapshot();
    expect(repo.git('show', `${after.tree}:old.bin`)).toMatch(/^pointer /);
    expect(repo.git('ls-files', '--others', '--exclude-standard')).toBe('');
    await git.bringTree(after, before.tree);
    expect(repo.read('old.bin')).toBe('old\n');
    expect(repo.exists('.git/lfs/objects')).toBe(true);
  });
});

it('settings with any bytes come back from git as they were', () => {
  const repo = makeRepository(null);
  const file = repo.path('.git/pinned');
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/);
  const bytes = fc.string({ unit: 'binary-ascii', maxLength: 8 }).map((text) => text.replaceAll('\0', ''));
  const key = fc.tuple(name, fc.option(bytes.filter((text) => text !== '' && !text.includes('\n'))), name);
  const setting = fc.record({
    key: key.map(([section, sub, last]) => [section, ...(sub === null ? [] : [sub]), last].join('.')),
    value: fc.option(bytes),
  });
  fc.assert(
    fc.property(fc.array(setting, { maxLength: 4 }), (settings) => {
      writeFileSync(file, configText(settings), 'latin1');
      const listed = repo.git('config', '--file', file, '--list', '-z', '--show-scope');
      expect(parseSettings(Buffer.from(listed, 'latin1')).map(({ key, value }) => ({ key, value }))).toEqual(
        settings,
      );
    }),
    { numRuns: 60 },
  );
});
