import { join } from 'node:path';
import { repositoryAt, temporaryFolder } from '../repository.ts';
import { attempt, type Scenario } from './scenario.ts';

/** Scenarios with commands of git: flags, index, commits, resets, stash, branches. */
export const GIT_STATE: readonly Scenario[] = [
  {
    id: 'skip-worktree-set-before',
    name: 'skip-worktree set before',
    before: (r) => r.git('update-index', '--skip-worktree', 'a.txt'),
    act: (r) => r.write('a.txt', 'hidden\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'deletion-hidden-by-skip-worktree-before',
    name: 'deletion hidden by skip-worktree before',
    before: (r) => r.git('update-index', '--skip-worktree', 'a.txt'),
    act: (r) => r.remove('a.txt'),
    changes: ['deleted a.txt'],
  },
  {
    id: 'edits-hidden-by-flags-before',
    name: 'edits hidden by flags before',
    before: (r) => {
      r.git('update-index', '--assume-unchanged', 'a.txt');
      r.git('update-index', '--skip-worktree', 'b.txt');
      r.write('a.txt', 'hidden\n');
      r.write('b.txt', 'hidden\n');
    },
    act: () => undefined,
    changes: [],
    checkFirst: true,
  },
  {
    id: 'skip-worktree-set-by-the-agent-file-deleted',
    name: 'skip-worktree set by the agent, file deleted',
    act: (r) => {
      r.git('update-index', '--skip-worktree', 'a.txt');
      r.remove('a.txt');
    },
    changes: ['deleted a.txt'],
  },
  {
    id: 'assume-unchanged-set-before',
    name: 'assume-unchanged set before',
    before: (r) => r.git('update-index', '--assume-unchanged', 'a.txt'),
    act: (r) => r.write('a.txt', 'hidden\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'assume-unchanged-set-by-the-agent',
    name: 'assume-unchanged set by the agent',
    act: (r) => {
      r.git('update-index', '--assume-unchanged', 'a.txt');
      r.write('a.txt', 'hidden\n');
    },
    changes: ['modified a.txt'],
  },
  {
    id: 'the-agent-commits-its-work',
    name: 'the agent commits its work',
    act: (r) => {
      r.write('a.txt', 'work\n');
      r.commitAll('work');
    },
    changes: ['modified a.txt'],
    commits: 1,
  },
  {
    id: 'the-agent-commits-what-was-dirty-before',
    name: 'the agent commits what was dirty before',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.commitAll('not its own'),
    changes: [],
    commits: 1,
  },
  { id: 'empty-commit', name: 'empty commit', act: (r) => r.commitAll('empty'), changes: [], commits: 1 },
  {
    id: 'reset-to-an-older-commit',
    name: 'reset to an older commit',
    before: (r) => {
      r.write('a.txt', 'second\n');
      r.commitAll('second');
    },
    act: (r) => r.git('reset', '-q', '--hard', 'HEAD~1'),
    changes: ['modified a.txt'],
    commits: 0,
  },
  {
    id: 'soft-reset',
    name: 'soft reset',
    before: (r) => {
      r.write('a.txt', 'second\n');
      r.commitAll('second');
    },
    act: (r) => r.git('reset', '-q', '--soft', 'HEAD~1'),
    changes: [],
    commits: 0,
  },
  {
    id: 'stash-of-work-that-was-there',
    name: 'stash of work that was there',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.git('stash', '-q'),
    changes: ['modified a.txt'],
  },
  {
    id: 'amend-of-the-message',
    name: 'amend of the message',
    act: (r) => r.git('commit', '-q', '--amend', '-m', 'other words'),
    changes: [],
    commits: 1,
  },
  {
    id: 'orphan-branch',
    name: 'orphan branch',
    act: (r) => {
      r.git('checkout', '-q', '--orphan', 'fresh');
      r.commitAll('fresh');
    },
    changes: [],
    commits: 1,
  },
  {
    id: 'git-add-without-a-change-of-content',
    name: 'git add without a change of content',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.git('add', '-A'),
    changes: [],
  },
  {
    id: 'git-rm-cached',
    name: 'git rm --cached',
    act: (r) => r.git('rm', '-q', '--cached', 'a.txt'),
    changes: [],
  },
  {
    id: 'intent-to-add-before',
    name: 'intent to add, before',
    before: (r) => {
      r.write('new.txt', 'x\n');
      r.git('add', '-N', 'new.txt');
    },
    act: (r) => r.write('new.txt', 'y\n'),
    changes: ['modified new.txt'],
  },
  {
    id: 'intent-to-add-by-the-agent',
    name: 'intent to add, by the agent',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.git('add', '-N', 'new.txt'),
    changes: [],
  },
  {
    id: 'merge-conflict',
    name: 'merge conflict',
    before: (r) => {
      r.git('checkout', '-q', '-b', 'side');
      r.write('a.txt', 'side\n');
      r.commitAll('side');
      r.git('checkout', '-q', 'main');
      r.write('a.txt', 'main\n');
      r.commitAll('main');
      attempt(() => r.git('merge', 'side'));
    },
    act: (r) => r.write('a.txt', 'resolved\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'detached-head',
    name: 'detached HEAD',
    before: (r) => r.git('checkout', '-q', '--detach'),
    act: (r) => r.write('a.txt', 'x\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'no-commit-yet',
    name: 'no commit yet',
    files: null,
    before: (r) => r.write('a.txt', 'x\n'),
    act: (r) => r.write('b.txt', 'y\n'),
    changes: ['added b.txt'],
  },
  {
    id: 'no-commit-yet-nothing-there-first-commit-by-the-agent',
    name: 'no commit yet, nothing there, first commit by the agent',
    files: null,
    act: (r) => {
      r.write('b.txt', 'y\n');
      r.commitAll('first');
    },
    changes: ['added b.txt'],
    commits: 1,
  },
  {
    id: 'an-index-lock-of-the-person',
    name: 'an index.lock of the user',
    before: (r) => r.write('.git/index.lock', ''),
    act: (r) => r.write('a.txt', 'x\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'stash-and-pop',
    name: 'stash and stash pop',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => {
      r.git('stash', '-q');
      r.git('stash', 'pop', '-q');
    },
    changes: [],
  },
  {
    id: 'gc-by-the-agent',
    name: 'git gc by the agent',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => {
      r.write('a.txt', 'dirty\n');
      r.git('gc', '-q', '--prune=now');
    },
    changes: ['modified a.txt'],
  },
  {
    id: 'linked-worktree',
    name: 'a linked worktree',
    place: (r) => {
      const root = join(temporaryFolder(), 'linked');
      r.git('worktree', 'add', '-q', '-b', 'side', root);
      return repositoryAt(root);
    },
    act: (r) => {
      r.write('a.txt', 'x\n');
      r.write('new.txt', 'y\n');
    },
    changes: ['modified a.txt', 'added new.txt'],
  },
];
