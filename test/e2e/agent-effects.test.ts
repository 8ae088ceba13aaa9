/** @module-tag slow */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/domain/change-set.ts';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, claim, makeProject, ONE_TASK, projectAt } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const LINES = 'one\ntwo\nthree\nfour\n';
const DONE_TRACKER = /- \[x\] \*\*T-1\*\*/;

type Effect = {
  readonly name: string;
  readonly actions: readonly ScenarioAction[];
  readonly changes: readonly Partial<Change>[];
  readonly commits?: readonly string[];
};

const EFFECTS: readonly Effect[] = [
  {
    name: 'a new file with an odd name',
    actions: [{ action: 'write', path: 'src/ä "b"\n.js', content: 'x\ny\n' }],
    changes: [{ kind: 'added', path: 'src/ä "b"\n.js', linesAdded: 2 }],
  },
  {
    name: 'an edit',
    actions: [{ action: 'edit', path: 'lines.txt', find: 'two', replace: '2' }],
    changes: [
      {
        kind: 'modified',
        path: 'lines.txt',
        linesAdded: 1,
        linesRemoved: 1,
        hunks: [{ oldStart: 2, oldLines: 1, newStart: 2, newLines: 1 }],
      },
    ],
  },
  {
    name: 'work that it commits unasked',
    actions: [
      { action: 'write', path: 'parser.js', content: 'parse\n' },
      { action: 'commit', message: 'My own commit', add: ['parser.js'] },
    ],
    changes: [{ kind: 'added', path: 'parser.js' }],
    commits: ['My own commit'],
  },
  {
    name: 'a deletion',
    actions: [{ action: 'delete', path: 'lines.txt' }],
    changes: [{ kind: 'deleted', path: 'lines.txt', linesRemoved: 4, newMode: null }],
  },
  {
    name: 'a rename',
    actions: [{ action: 'rename', from: 'lines.txt', to: 'docs/lines.txt' }],
    changes: [{ kind: 'renamed', path: 'docs/lines.txt', oldPath: 'lines.txt' }],
  },
  {
    name: 'a change of mode',
    actions: [{ action: 'chmod', path: 'lines.txt', mode: '755' }],
    changes: [{ kind: 'mode_changed', path: 'lines.txt', oldMode: '100644', newMode: '100755' }],
  },
  {
    name: 'a symlink',
    actions: [{ action: 'symlink', path: 'link', target: 'lines.txt' }],
    changes: [{ kind: 'added', path: 'link', newMode: '120000' }],
  },
  {
    name: 'a file that becomes a symlink',
    actions: [
      { action: 'delete', path: 'lines.txt' },
      { action: 'symlink', path: 'lines.txt', target: 'README.md' },
    ],
    changes: [{ kind: 'type_changed', path: 'lines.txt', newMode: '120000' }],
  },
];

describe('what the agent did is seen as it is', () => {
  // Tests run several at a time, because most of their time is waiting for processes.
  it.concurrent.each(EFFECTS)('$name', async ({ actions, changes, commits = [] }) => {
    const project = makeProject({
      'lines.txt': LINES,
      '.ralph/PRD.md': ONE_TASK.replace('parser', 'parser, and make lines.txt executable'),
      '.ralph/scenario.json': always(...actions, claim()),
    });
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 0 });
    const { facts, decisions } = project.iteration(1);
    expect(facts.changes.changes).toMatchObject(changes);
    expect(facts.changes.commits.map(({ subject }) => subject)).toEqual(commits);
    expect(decisions.verdict).toEqual({ kind: 'done' });
    expect(project.read('.ralph/PRD.md')).toMatch(DONE_TRACKER);
  });

  it('in a linked worktree', () => {
    const main = makeProject({
      '.ralph/scenario.json': always({ action: 'write', path: 'parser.js', content: 'parse\n' }, claim()),
    });
    const folder = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', folder);
    const project = projectAt(folder);
    expect(project.ralph('run').code).toBe(0);
    const { facts } = project.iteration(1);
    expect(facts.worktree).toBe('linked');
    expect(facts.changes.changes).toMatchObject([{ kind: 'added', path: 'parser.js' }]);
    expect(project.read('.ralph/PRD.md')).toMatch(DONE_TRACKER);
    expect(main.git('status', '--porcelain')).toBe('');
  });

  it('from a folder below the top', () => {
    const project = makeProject({
      'src/keep': '',
      '.ralph/scenario.json': always({ action: 'write', path: 'parser.js', content: 'parse\n' }, claim()),
    });
    expect(projectAt(project.path('src')).ralph('run').code).toBe(0);
    expect(project.iteration(1).facts.changes.changes).toMatchObject([{ path: 'parser.js' }]);
  });
});

/** A user in the middle of work has files that are staged, unstaged, both at once, untracked and stashed. */
function projectOfBusyPerson(commit: string) {
  const project = makeProject({
    'staged.txt': LINES,
    'edited.txt': LINES,
    'both.txt': LINES,
    'gone.txt': LINES,
    'script.sh': 'exit 0\n',
    'ours.txt': 'before\n',
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n[git]\ncommit = "${commit}"\n`,
    '.ralph/scenario.json': always(
      { action: 'write', path: 'src/new.js', content: 'new\n' },
      { action: 'write', path: 'ours.txt', content: 'after\n' },
      claim('src/new.js:1 new', 'ours.txt:1 changed'),
    ),
  });
  project.write('edited.txt', 'stashed\n');
  project.git('stash', 'push', '-q', '-m', 'later');
  project.write('staged.txt', 'staged\n');
  project.write('both.txt', 'staged part\n');
  project.git('add', 'staged.txt', 'both.txt');
  project.write('both.txt', 'staged part\nunstaged part\n');
  project.git('rm', '-q', 'gone.txt');
  project.write('new-staged.txt', 'new and staged\n');
  project.git('add', 'new-staged.txt');
  project.git('update-index', '--chmod=+x', 'script.sh');
  project.write('edited.txt', Buffer.from([0, 255, 13, 10]));
  project.write('untracked.txt', 'untracked\n', 0o600);
  return project;
}

const THEIR_FILES = ['staged.txt', 'edited.txt', 'both.txt', 'script.sh', 'new-staged.txt', 'untracked.txt'];

function theirState(project: ReturnType<typeof makeProject>) {
  const { git, read, path } = project;
  return {
    staged: git('diff', '--cached'),
    unstaged: git('diff', '--', ...THEIR_FILES),
    stash: `${git('stash', 'list')}\n${git('stash', 'show', '-p')}`,
    files: THEIR_FILES.map((name) => `${lstatSync(path(name)).mode.toString(8)} ${read(name)}`),
    branch: git('branch', '--show-current'),
  };
}

describe('what the user had lying around', () => {
  it('is the same to the last byte after a run, index and stash included', () => {
    const project = projectOfBusyPerson('never');
    const index = project.git('ls-files', '-s');
    const head = project.git('rev-parse', 'HEAD');
    const before = theirState(project);
    expect(project.ralph('run').code).toBe(0);
    expect(theirState(project)).toEqual(before);
    expect(project.git('ls-files', '-s')).toBe(index);
    expect(project.git('rev-parse', 'HEAD')).toBe(head);
    expect(project.exists('gone.txt')).toBe(false);
    expect(project.iteration(1).facts.changes.changes).toMatchObject([
      { kind: 'modified', path: 'ours.txt' },
      { kind: 'added', path: 'src/new.js' },
    ]);
  });

  it('stays out of the commit of a verified task, and stays staged', () => {
    const project = projectOfBusyPerson('on_done');
    const before = theirState(project);
    const run = project.ralph('run');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/committed [0-9a-f]{10} \(2 files\)/);
    expect(theirState(project)).toEqual(before);
    expect(project.git('show', '--name-status', '--format=%s', 'HEAD~1').split('\n').filter(Boolean)).toEqual(
      ['Write the parser (T-1)', 'M\tours.txt', 'A\tsrc/new.js'],
    );
    expect(project.git('rev-list', '--count', 'HEAD')).toBe('3');
    expect(project.git('status', '--porcelain', '--', 'ours.txt', 'src')).toBe('');
  });

  it('keeps a task out of git when the agent changed the same file', () => {
    const project = projectOfBusyPerson('on_done');
    project.write('ours.txt', 'edited by the user\n');
    const head = project.git('rev-parse', 'HEAD');
    const before = theirState(project);
    const run = project.ralph('run');
    expect(run.code).toBe(0);
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(
      'T-1 is verified and waits: you changed what it changes, too (ours.txt)',
    );
    expect(project.git('rev-parse', 'HEAD')).toBe(head);
    expect(theirState(project)).toEqual(before);
    expect(project.read('ours.txt')).toBe('edited by the user\n');
  });

  it('is not committed by a run with --no-commit', () => {
    const project = projectOfBusyPerson('on_done');
    expect(project.ralph('run', '--no-commit').code).toBe(0);
    expect(project.git('rev-list', '--count', 'HEAD')).toBe('1');
  });
});
