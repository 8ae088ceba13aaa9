import {
  appendFileSync,
  chmodSync,
  lstatSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { expect, it } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { coldTree, makeRepository, repositoryAt, type TestRepository } from '../../helpers/repository.ts';

type Scenario = {
  name: string;
  files?: Record<string, string> | null;
  /** Done before the first snapshot. */
  before?: (repo: TestRepository) => void;
  /** What the agent does. */
  act: (repo: TestRepository) => void;
  /** `kind path` of each change, in order of path. */
  changes: string[];
  commits?: number;
  /** Git itself, reading from nothing, would see something else. */
  coldDiffers?: true;
  /** The first snapshot is to be compared with one read from nothing, too. */
  checkFirst?: true;
};

const START = {
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'dir/c.txt': 'three\n',
  '.gitignore': 'ignored/\n*.log\n',
};

/** Same size, modification time put back. */
function sneakyEdit(repo: TestRepository, name: string, content: string): void {
  const { atime, mtime } = lstatSync(repo.path(name));
  repo.write(name, content);
  utimesSync(repo.path(name), atime, mtime);
}

function nested(repo: TestRepository, name: string, files: Record<string, string>, commit: boolean): void {
  repo.write(`${name}/.keep`, '');
  repo.remove(`${name}/.keep`);
  const inner = repositoryAt(repo.path(name));
  inner.git('init', '-q');
  for (const [path, content] of Object.entries(files)) inner.write(path, content);
  if (commit) inner.commitAll('inner');
}

function withSubmodule(repo: TestRepository): void {
  const origin = makeRepository({ 'inner.txt': 'inner\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.root, 'sub');
  repo.commitAll('submodule');
}

const scenarios: Scenario[] = [
  { name: 'nothing', act: () => undefined, changes: [] },
  { name: 'edit of a clean file', act: (r) => r.write('a.txt', 'ONE\n'), changes: ['modified a.txt'] },
  {
    name: 'dirt that was there before',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: () => undefined,
    changes: [],
  },
  {
    name: 'edit of a dirty file',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.write('a.txt', 'dirtier\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'edit of an untracked file',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.write('new.txt', 'y\n'),
    changes: ['modified new.txt'],
  },
  {
    name: 'edit of a staged file',
    before: (r) => {
      r.write('a.txt', 'staged\n');
      r.git('add', 'a.txt');
    },
    act: (r) => r.write('a.txt', 'again\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'a dirty file put back to HEAD',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.git('checkout', '--', 'a.txt'),
    changes: ['modified a.txt'],
  },
  {
    name: 'same size with the modification time put back',
    act: (r) => sneakyEdit(r, 'a.txt', 'eno\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'same size and time, dirty file',
    before: (r) => r.write('a.txt', 'abc\n'),
    act: (r) => sneakyEdit(r, 'a.txt', 'cba\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'same size and time, untracked file',
    before: (r) => r.write('new.txt', 'abc\n'),
    act: (r) => sneakyEdit(r, 'new.txt', 'cba\n'),
    changes: ['modified new.txt'],
  },
  { name: 'chmod', act: (r) => chmodSync(r.path('a.txt'), 0o755), changes: ['mode_changed a.txt'] },
  {
    name: 'chmod where core.fileMode is off',
    before: (r) => r.git('config', 'core.fileMode', 'false'),
    act: (r) => chmodSync(r.path('a.txt'), 0o755),
    changes: [],
  },
  { name: 'new symlink', act: (r) => symlinkSync('a.txt', r.path('link')), changes: ['added link'] },
  {
    name: 'symlink to somewhere else',
    before: (r) => symlinkSync('a.txt', r.path('link')),
    act: (r) => {
      r.remove('link');
      symlinkSync('b.txt', r.path('link'));
    },
    changes: ['modified link'],
  },
  {
    name: 'file becomes a symlink',
    act: (r) => {
      r.remove('a.txt');
      symlinkSync('b.txt', r.path('a.txt'));
    },
    changes: ['type_changed a.txt'],
  },
  {
    name: 'folder becomes a symlink',
    act: (r) => {
      renameSync(r.path('dir'), r.path('other'));
      symlinkSync('other', r.path('dir'));
    },
    changes: ['added dir', 'renamed other/c.txt'],
  },
  {
    name: 'file becomes a folder',
    act: (r) => {
      r.remove('a.txt');
      r.write('a.txt/inside', 'x\n');
    },
    changes: ['deleted a.txt', 'added a.txt/inside'],
  },
  {
    name: 'folder becomes a file',
    act: (r) => {
      r.remove('dir');
      r.write('dir', 'x\n');
    },
    changes: ['added dir', 'deleted dir/c.txt'],
  },
  {
    name: 'skip-worktree set before',
    before: (r) => r.git('update-index', '--skip-worktree', 'a.txt'),
    act: (r) => r.write('a.txt', 'hidden\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'deletion hidden by skip-worktree before',
    before: (r) => r.git('update-index', '--skip-worktree', 'a.txt'),
    act: (r) => r.remove('a.txt'),
    changes: ['deleted a.txt'],
  },
  {
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
    name: 'skip-worktree set by the agent, file deleted',
    act: (r) => {
      r.git('update-index', '--skip-worktree', 'a.txt');
      r.remove('a.txt');
    },
    changes: ['deleted a.txt'],
  },
  {
    name: 'assume-unchanged set before',
    before: (r) => r.git('update-index', '--assume-unchanged', 'a.txt'),
    act: (r) => r.write('a.txt', 'hidden\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'assume-unchanged set by the agent',
    act: (r) => {
      r.git('update-index', '--assume-unchanged', 'a.txt');
      r.write('a.txt', 'hidden\n');
    },
    changes: ['modified a.txt'],
  },
  {
    name: 'the agent commits its work',
    act: (r) => {
      r.write('a.txt', 'work\n');
      r.commitAll('work');
    },
    changes: ['modified a.txt'],
    commits: 1,
  },
  {
    name: 'the agent commits what was dirty before',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.commitAll('not its own'),
    changes: [],
    commits: 1,
  },
  { name: 'empty commit', act: (r) => r.commitAll('empty'), changes: [], commits: 1 },
  {
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
    name: 'stash of work that was there',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.git('stash', '-q'),
    changes: ['modified a.txt'],
  },
  {
    name: 'amend of the message',
    act: (r) => r.git('commit', '-q', '--amend', '-m', 'other words'),
    changes: [],
    commits: 1,
  },
  {
    name: 'orphan branch',
    act: (r) => {
      r.git('checkout', '-q', '--orphan', 'fresh');
      r.commitAll('fresh');
    },
    changes: [],
    commits: 1,
  },
  {
    name: 'new file, ignored file',
    act: (r) => {
      r.write('new.txt', 'x\n');
      r.write('ignored/x', 'x\n');
      r.write('debug.log', 'x\n');
    },
    changes: ['added new.txt'],
  },
  {
    name: 'an untracked file that becomes ignored is not deleted',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => appendFileSync(r.path('.gitignore'), 'new.txt\n'),
    changes: ['modified .gitignore'],
    coldDiffers: true,
  },
  {
    name: 'new file hidden through info/exclude',
    act: (r) => {
      appendFileSync(r.path('.git/info/exclude'), 'hidden.txt\nhidden/\n');
      r.write('hidden.txt', 'x\n');
      r.write('hidden/deep.txt', 'y\n');
    },
    changes: ['added hidden.txt', 'added hidden/deep.txt'],
    coldDiffers: true,
  },
  {
    name: 'new file hidden through core.excludesFile',
    act: (r) => {
      r.write('.git/hide', 'hidden.txt\n');
      r.git('config', 'core.excludesFile', r.path('.git/hide'));
      r.write('hidden.txt', 'x\n');
    },
    changes: ['added hidden.txt'],
    // The cold hash brings its own excludes file.
  },
  {
    name: 'an untracked file hidden through info/exclude is not deleted',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => appendFileSync(r.path('.git/info/exclude'), 'new.txt\n'),
    changes: [],
    coldDiffers: true,
  },
  {
    name: 'what a person excludes stays out',
    before: (r) => appendFileSync(r.path('.git/info/exclude'), 'scratch/\n'),
    act: (r) => {
      r.write('scratch/x', 'x\n');
      appendFileSync(r.path('.git/info/exclude'), '# touched\n');
    },
    changes: [],
  },
  {
    name: 'nested repository with a commit',
    act: (r) => nested(r, 'app', { 'x.txt': 'x\n', 'src/y.txt': 'y\n' }, true),
    changes: ['added app/src/y.txt', 'added app/x.txt'],
    coldDiffers: true,
  },
  {
    name: 'nested repository without a commit',
    act: (r) => nested(r, 'app', { 'x.txt': 'x\n' }, false),
    changes: ['added app/x.txt'],
    coldDiffers: true,
  },
  {
    name: 'empty nested repository',
    act: (r) => nested(r, 'app', {}, false),
    changes: [],
    coldDiffers: true,
  },
  {
    name: 'edits in a nested repository',
    before: (r) => nested(r, 'app', { 'x.txt': 'x\n', 'y.txt': 'y\n' }, true),
    act: (r) => {
      r.write('app/x.txt', 'changed\n');
      r.write('app/z.txt', 'z\n');
      r.remove('app/y.txt');
      repositoryAt(r.path('app')).commitAll('inside');
    },
    changes: ['modified app/x.txt', 'deleted app/y.txt', 'added app/z.txt'],
    coldDiffers: true,
  },
  {
    name: 'nested repository in a nested repository',
    act: (r) => {
      nested(r, 'app', {}, false);
      nested(r, 'app/lib', { 'x.txt': 'x\n' }, false);
    },
    changes: ['added app/lib/x.txt'],
    coldDiffers: true,
  },
  {
    name: 'the agent empties .git of a nested repository',
    before: (r) => nested(r, 'app', { 'x.txt': 'x\n' }, true),
    act: (r) => r.remove('app/.git'),
    changes: [],
  },
  {
    name: 'clean submodule',
    before: withSubmodule,
    act: (r) => utimesSync(r.path('sub/inner.txt'), 1, 1),
    changes: [],
  },
  {
    name: 'dirt in a submodule',
    before: withSubmodule,
    act: (r) => {
      r.write('sub/inner.txt', 'changed\n');
      r.write('sub/new.txt', 'new\n');
    },
    changes: ['modified sub', 'modified sub/inner.txt', 'added sub/new.txt'],
    coldDiffers: true,
  },
  {
    name: 'more dirt in a dirty submodule that is set to be ignored',
    before: (r) => {
      withSubmodule(r);
      r.git('config', 'submodule.sub.ignore', 'all');
      r.write('sub/inner.txt', 'dirty\n');
    },
    act: (r) => r.write('sub/inner.txt', 'dirtier\n'),
    changes: ['modified sub', 'modified sub/inner.txt'],
    coldDiffers: true,
  },
  {
    name: 'commit in a submodule',
    before: withSubmodule,
    act: (r) => {
      r.write('sub/inner.txt', 'changed\n');
      repositoryAt(r.path('sub')).commitAll('inside');
    },
    changes: ['modified sub', 'modified sub/inner.txt'],
  },
  {
    name: 'submodule added by the agent',
    act: (r) => {
      const origin = makeRepository({ 'inner.txt': 'inner\n' });
      r.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.root, 'sub');
    },
    changes: ['added .gitmodules', 'added sub', 'added sub/inner.txt'],
  },
  {
    name: 'submodule removed by the agent',
    before: withSubmodule,
    act: (r) => r.remove('sub'),
    changes: ['deleted sub', 'deleted sub/inner.txt'],
  },
  {
    name: 'submodule becomes a plain folder',
    before: withSubmodule,
    act: (r) => r.remove('sub/.git'),
    changes: ['deleted sub', 'deleted sub/inner.txt', 'added sub/inner.txt'],
  },
  { name: 'rename', act: (r) => renameSync(r.path('a.txt'), r.path('z.txt')), changes: ['renamed z.txt'] },
  { name: 'delete', act: (r) => r.remove('dir'), changes: ['deleted dir/c.txt'] },
  {
    name: 'delete of an untracked file',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.remove('new.txt'),
    changes: ['deleted new.txt'],
  },
  { name: 'the same bytes written again', act: (r) => r.write('a.txt', 'one\n'), changes: [] },
  { name: 'touch', act: (r) => utimesSync(r.path('a.txt'), 1, 1), changes: [] },
  {
    name: 'git add without a change of content',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.git('add', '-A'),
    changes: [],
  },
  {
    name: 'git rm --cached',
    act: (r) => r.git('rm', '-q', '--cached', 'a.txt'),
    changes: [],
  },
  {
    name: 'intent to add, before',
    before: (r) => {
      r.write('new.txt', 'x\n');
      r.git('add', '-N', 'new.txt');
    },
    act: (r) => r.write('new.txt', 'y\n'),
    changes: ['modified new.txt'],
  },
  {
    name: 'intent to add, by the agent',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.git('add', '-N', 'new.txt'),
    changes: [],
  },
  {
    name: 'merge conflict',
    before: (r) => {
      r.git('checkout', '-q', '-b', 'side');
      r.write('a.txt', 'side\n');
      r.commitAll('side');
      r.git('checkout', '-q', 'main');
      r.write('a.txt', 'main\n');
      r.commitAll('main');
      expect(() => r.git('merge', 'side')).toThrow();
    },
    act: (r) => r.write('a.txt', 'resolved\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'detached HEAD',
    before: (r) => r.git('checkout', '-q', '--detach'),
    act: (r) => r.write('a.txt', 'x\n'),
    changes: ['modified a.txt'],
  },
  {
    name: 'no commit yet',
    files: null,
    before: (r) => r.write('a.txt', 'x\n'),
    act: (r) => r.write('b.txt', 'y\n'),
    changes: ['added b.txt'],
  },
  {
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
    name: 'sparse checkout',
    before: (r) => r.git('sparse-checkout', 'set', '--cone'),
    act: (r) => r.write('a.txt', 'x\n'),
    changes: ['modified a.txt'],
    coldDiffers: true,
  },
  {
    name: 'sparse checkout, a file outside it written',
    before: (r) => r.git('sparse-checkout', 'set', '--cone'),
    act: (r) => r.write('dir/c.txt', 'x\n'),
    changes: ['modified dir/c.txt'],
  },
  {
    name: 'sparse checkout narrowed',
    before: (r) => {
      r.write('keep/k.txt', 'k\n');
      r.commitAll('more');
      r.git('sparse-checkout', 'set', '--cone', 'dir', 'keep');
    },
    act: (r) => r.git('sparse-checkout', 'set', '--cone', 'keep'),
    changes: [],
    coldDiffers: true,
  },
  {
    name: 'line endings changed where git normalises them',
    before: (r) => {
      r.git('config', 'core.autocrlf', 'input');
      r.git('config', 'core.safecrlf', 'true');
    },
    act: (r) => {
      r.write('a.txt', 'one\r\n');
      r.write('b.txt', 'two\r\nthree\r\n');
    },
    changes: ['modified b.txt'],
  },
  {
    name: 'a filter that fails',
    before: (r) => {
      r.write('.gitattributes', '*.bin filter=broken\n');
      r.git('config', 'filter.broken.clean', 'false');
      r.git('config', 'filter.broken.required', 'true');
      r.write('x.bin', 'before\n');
    },
    act: (r) => {
      r.write('x.bin', 'after\n');
      r.write('y.txt', 'y\n');
    },
    changes: ['modified x.bin', 'added y.txt'],
    coldDiffers: true,
  },
  {
    name: 'settings that make git look less closely',
    before: (r) => {
      r.git('config', 'core.trustctime', 'false');
      r.git('config', 'core.checkStat', 'minimal');
      r.git('config', 'core.ignoreStat', 'true');
      r.git('config', 'status.showUntrackedFiles', 'no');
    },
    act: (r) => {
      sneakyEdit(r, 'a.txt', 'eno\n');
      r.write('new.txt', 'x\n');
    },
    changes: ['modified a.txt', 'added new.txt'],
  },
  {
    name: 'odd names',
    act: (r) => {
      for (const name of [
        'with space',
        'new\nline',
        '"quoted"',
        'ünï',
        ':colon',
        '-dash',
        'a\\b',
        '*glob*',
      ]) {
        r.write(name, 'x\n');
      }
      writeFileSync(Buffer.concat([Buffer.from(`${r.root}/`), Buffer.from([0x63, 0xe9])]), 'x\n');
    },
    changes: [
      'added "\\"quoted\\""',
      'added "c\\351"',
      'added *glob*',
      'added -dash',
      'added :colon',
      'added a\\b',
      'added new\nline',
      'added with space',
      'added ünï',
    ],
  },
  {
    name: 'what the orchestrator writes',
    before: (r) => r.write('.ralph/PRD.md', 'x\n'),
    act: (r) => {
      r.write('.ralph/PRD.md', 'y\n');
      r.write('.ralph/journal.jsonl', '{}\n');
    },
    changes: [],
  },
  {
    name: 'tracked files of the orchestrator',
    files: { 'a.txt': 'one\n', '.ralph/PRD.md': 'x\n', '.gitignore': '!.ralph\n' },
    act: (r) => {
      r.write('.ralph/PRD.md', 'y\n');
      r.write('.ralph/new.md', 'y\n');
    },
    changes: [],
  },
  {
    name: 'an index.lock of the person',
    before: (r) => r.write('.git/index.lock', ''),
    act: (r) => r.write('a.txt', 'x\n'),
    changes: ['modified a.txt'],
  },
];

it.each(scenarios)('sees exactly what changed: $name', async (scenario) => {
  const repo = makeRepository(scenario.files === undefined ? START : scenario.files);
  scenario.before?.(repo);
  const git = await openTestGit(repo.root);

  const before = await git.snapshot();
  if (scenario.checkFirst) expect(before.tree).toBe(coldTree(repo.root));
  scenario.act(repo);
  const indexBytes = repo.exists('.git/index') ? repo.read('.git/index') : null;
  const after = await git.snapshot();
  const { changes, commits } = await git.diff(before, after);

  const seen = changes.map(({ kind, path }) => `${kind} ${path}`);
  expect(seen.sort()).toEqual([...scenario.changes].sort());
  expect(commits).toHaveLength(scenario.commits ?? 0);
  expect((await git.snapshot()).tree).toBe(after.tree);
  if (!scenario.coldDiffers) expect(after.tree).toBe(coldTree(repo.root));
  expect(repo.exists('.git/index') ? repo.read('.git/index') : null).toBe(indexBytes);
});
