import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxesOf, isWholeBox } from '../../../test/helpers/boxed.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../../test/helpers/repository.ts';

function plainIn(folder: string): TestRepository {
  mkdirSync(folder, { recursive: true });
  const made = repositoryAt(folder);
  made.git('init', '-q', '-b', 'main');
  made.write('README.md', 'hello\n');
  made.commitAll('start');
  return made;
}

function withSubmodule(): TestRepository {
  const outer = makeRepository();
  const inner = makeRepository();
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  outer.commitAll('submodule');
  return outer;
}

/** The other one lies elsewhere, and has something staged. */
function withOtherTree(): TestRepository {
  const made = makeRepository();
  const other = repositoryAt(join(temporaryFolder(), 'other'));
  made.git('worktree', 'add', '-q', '-b', 'elsewhere', other.root);
  other.write('staged', 'there\n');
  other.git('add', '--', 'staged');
  return made;
}

/** Places of repositories, each with `git` commands from its top. */
const PLACES: readonly (readonly [name: string, make: () => TestRepository])[] = [
  ['in the temporary folder', makeRepository],
  ['in the home folder', () => plainIn(join(homedir(), 'work', 'p'))],
  ['at the top of a folder with spaces', () => plainIn(join(temporaryFolder(), 'a b', 'c d'))],
  [
    'a linked work tree',
    () => {
      const linked = join(temporaryFolder(), 'linked');
      makeRepository().git('worktree', 'add', '-q', '-b', 'linked', linked);
      return repositoryAt(linked);
    },
  ],
  [
    'a linked work tree of a bare repository',
    () => {
      const [bare, linked] = [temporaryFolder(), join(temporaryFolder(), 'linked')];
      makeRepository().git('clone', '-q', '--bare', '.', bare);
      repositoryAt(bare).git('worktree', 'add', '-q', linked);
      return repositoryAt(linked);
    },
  ],
  ['one with another work tree', withOtherTree],
  ['one with a submodule', withSubmodule],
  ['a submodule', () => repositoryAt(withSubmodule().path('sub'))],
  [
    'one whose git folder lies elsewhere',
    () => {
      const [made, apart] = [makeRepository(), join(temporaryFolder(), 'apart')];
      made.git('init', '-q', '--separate-git-dir', apart);
      return made;
    },
  ],
];

const AGENT_MAY = [
  'echo x > new.txt',
  'git add new.txt',
  'git commit -qm new',
  'git status --short',
  'git branch other',
  'echo y >> new.txt && git stash -q && git stash pop -q',
  'git checkout -q -b third && git checkout -q -',
  'git commit -qam more && git rebase -q HEAD~1',
  'git merge -q --no-ff -m merged other',
  'git reset -q --hard HEAD',
  'git branch -q -D other',
  'git gc -q',
];
const AGENT_MAY_NOT = [
  'git config a.b c',
  'echo x > "$(git rev-parse --git-path hooks)/post-commit"',
  'echo x >> "$(git rev-parse --git-path info/exclude)"',
  // By a rename: elsewhere, its files would be copied and what may be written would be removed.
  'd=$(git rev-parse --git-common-dir); mv "$d" "$d.away"',
  'd=$(git rev-parse --git-common-dir); mv "$d/config" "$d/config.away"',
];
const GATE_MAY = ['git log -1', 'git status --short', 'git diff --stat HEAD', 'echo x > by-gate.txt'];
const GATE_MAY_NOT = ['git commit --allow-empty -qm gate', 'git branch by-gate'];

/** Removes where each work tree but the own one stands, and its index. */
const REMOVE_OTHERS = `d=$(git rev-parse --git-common-dir); own=$(git rev-parse --git-dir)
for one in "$d"/worktrees/* "$d"; do
  [ "$(realpath "$one")" = "$(realpath "$own")" ] || rm -f "$one/HEAD" "$one/index"
done`;

describe.skipIf(!isWholeBox)('of another work tree', () => {
  it('an agent can not take away what is staged there, nor where it stands', () => {
    const repo = withOtherTree();
    const other = repositoryAt(join(repo.git('worktree', 'list').split('\n')[1]?.split(' ')[0] ?? ''));
    repo.write('of-first', 'here\n');
    repo.git('add', '--', 'of-first');
    const stands = ({ git }: TestRepository) => git('status', '--short', '--branch');
    for (const [own, away] of [
      [repo, other],
      [other, repo],
    ] as const) {
      const before = stands(away);
      boxesOf(own.root)('agent', REMOVE_OTHERS);
      expect(stands(away)).toEqual(before);
      boxesOf(own.root)('agent', 'git commit -qm done');
      expect(own.git('log', '-1', '--format=%s')).toBe('done');
    }
  });

  it('an agent may use one that lies in its own', () => {
    const repo = makeRepository();
    repo.git('worktree', 'add', '-q', '-b', 'inner', repo.path('inner'));
    boxesOf(repo.root)('agent', 'cd inner && git commit -q --allow-empty -m done');
    expect(repo.git('log', '-1', '--format=%s', 'refs/heads/inner')).toBe('done');
  });
});

describe.skipIf(!isWholeBox)('what git does in the box', () => {
  it.each(PLACES)('%s', (_name, make) => {
    const { root, git } = make();
    const inBox = boxesOf(root);
    const answers = (role: 'agent' | 'gate', commands: readonly string[]) => {
      const lines = commands.map(
        (one) =>
          `if (${one}) > said 2>&1; then echo 'yes: ${one}'; else echo 'no: ${one}'; cat said; fi; rm -f said`,
      );
      return inBox(role, lines.join('\n')).output.trim().split('\n');
    };
    const isAnswer = (line: string) => /^(?:yes|no): /.test(line);
    expect(answers('agent', AGENT_MAY)).toEqual(AGENT_MAY.map((one) => `yes: ${one}`));
    const refused = answers('agent', AGENT_MAY_NOT);
    expect(refused.filter(isAnswer), refused.join('\n')).toEqual(AGENT_MAY_NOT.map((one) => `no: ${one}`));
    expect(git('branch', '--show-current')).not.toBe('third');
    expect(answers('gate', GATE_MAY)).toEqual(GATE_MAY.map((one) => `yes: ${one}`));
    const shut = answers('gate', GATE_MAY_NOT);
    expect(shut.filter(isAnswer), shut.join('\n')).toEqual(GATE_MAY_NOT.map((one) => `no: ${one}`));
    expect(git('fsck', '--no-dangling')).toBe('');
  });
});
