import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findWorkTree, openGit } from '../../../src/git/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let base: string;
const at = (path: string) => join(base, path);

function git(folder: string, ...args: string[]): void {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...settings, ...args], { cwd: at(folder), stdio: 'pipe' });
}

function repository(folder: string, ...settings: string[]): void {
  mkdirSync(at(folder), { recursive: true });
  git(folder, 'init', '--quiet');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'start');
  for (const setting of settings) git(folder, 'config', ...setting.split('='));
}

beforeAll(() => {
  base = temporaryFolder();
  repository('plain');
  mkdirSync(at('plain/a/b'), { recursive: true });
  git('plain', 'worktree', 'add', '--quiet', '../linked');
  mkdirSync(at('linked/below'));
  git('plain', 'checkout', '--quiet', '--detach');
  repository('super');
  git('super', 'submodule', '--quiet', 'add', '../plain', 'sub');
  repository('plain/nested');
  mkdirSync(at('bare'));
  git('bare', 'init', '--quiet', '--bare');
  mkdirSync(at('nothing/below'), { recursive: true });
  mkdirSync(at('empty-git/.git'), { recursive: true });
  mkdirSync(at('plain/inner/.git'), { recursive: true });
  mkdirSync(at('plain/broken-file'));
  writeFileSync(at('plain/broken-file/.git'), 'gitdir: ../nowhere\n');
  mkdirSync(at('plain/has-head'));
  writeFileSync(at('plain/has-head/HEAD'), 'just a file\n');
  repository('moved', `core.worktree=${at('nothing')}`);
  repository('called-bare', 'core.bare=true');
  repository('extended', 'core.repositoryformatversion=1', 'extensions.worktreeConfig=true');
  mkdirSync(at('separate'));
  git('separate', 'init', '--quiet', '--separate-git-dir', at('separate-git'));
  mkdirSync(at('linked-git'));
  symlinkSync(at('plain/.git'), at('linked-git/.git'));
});

/** `found`: the quick look must give an answer itself; else it may leave the answer to git. */
describe.each([
  ['plain', 'found'],
  ['plain/a/b', 'found'],
  ['plain/nested', 'found'],
  ['linked', 'found'],
  ['linked/below', 'found'],
  ['super', 'found'],
  ['super/sub', 'left to git'],
  ['bare', 'left to git'],
  ['bare/objects', 'left to git'],
  ['plain/.git', 'left to git'],
  ['plain/.git/hooks', 'left to git'],
  ['nothing/below', 'left to git'],
  ['empty-git', 'left to git'],
  ['plain/inner', 'left to git'],
  ['plain/broken-file', 'left to git'],
  ['plain/has-head', 'left to git'],
  ['moved', 'left to git'],
  ['called-bare', 'left to git'],
  ['extended', 'left to git'],
  ['separate', 'left to git'],
  ['linked-git', 'left to git'],
] as const)('%s', (folder, expected) => {
  it(`is ${expected}, and what is found is what git says`, async () => {
    const found = findWorkTree(at(folder), {});
    expect(found === null ? 'left to git' : 'found').toBe(expected);
    if (found === null) return;
    const opened = await openGit({ root: at(folder) });
    expect(opened).toMatchObject({ ok: true, ...found });
  });
});

it('leaves the answer to git where the environment changes where git looks', () => {
  expect(findWorkTree(at('plain/a'), { GIT_CEILING_DIRECTORIES: at('plain') })).toBeNull();
  expect(findWorkTree(at('plain/a'), { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' })).toBeNull();
});

it('is not led astray by GIT_DIR, as git is not when ralph calls it', () => {
  expect(findWorkTree(at('plain'), { GIT_DIR: at('super/.git') })?.top).toBe(at('plain'));
});
