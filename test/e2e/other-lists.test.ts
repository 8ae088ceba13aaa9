import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { always, claim, projectAt, withoutBox } from '../helpers/cli.ts';
import { makeRepository } from '../helpers/repository.ts';

withoutBox();

/** These projects lack the list that other tests' projects have. */
const makeProject = (files: Readonly<Record<string, string>>) => projectAt(makeRepository(files).root);

const SETTINGS =
  '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = [{ name = "test", run = "true" }]\n';
const append = (path: string, content: string) => ({ action: 'append' as const, path, content });

const task = (id: string, status: string, more = '') =>
  `---\nid: ${id}\ntitle: Task ${id}\nstatus: ${status}\nassignee: []\n${more}---\n\n## Description\n\nSay it.\n\n## Acceptance Criteria\n- [ ] #1 it works\n`;

describe('a folder with a file for each task', () => {
  it('is found, worked through and marked in the files that are done, which one commit holds', () => {
    const files = {
      'backlog/tasks/task-1 - One.md': task('TASK-1', 'To Do'),
      'backlog/tasks/task-2 - Two.md': task('TASK-2', 'To Do', 'dependencies:\n  - task-1\n  - task-9\n'),
      'backlog/tasks/task-3 - Three.md': task('TASK-3', 'Done'),
      'backlog/tasks/readme.md': '# What this is\n',
      'backlog/completed/task-9 - Nine.md': task('TASK-9', 'Done'),
    };
    const project = makeProject({
      ...files,
      '.ralph/ralph.toml': SETTINGS,
      // Writing into the list, or making another one, doesn't count as work.
      '.ralph/scenario.json': always(
        append('a.txt', 'a\n'),
        append('backlog/tasks/task-2 - Two.md', 'by the agent\n'),
        append('backlog/tasks/task-4 - Four.md', task('TASK-4', 'To Do')),
        append('backlog/completed/task-8 - Eight.md', task('TASK-8', 'Done')),
        claim('a.txt:1 a'),
      ),
    });
    const listed = project.json('tasks');
    expect(listed).toMatchObject({
      tracker: 'backlog/tasks',
      tasks: [
        { id: 'TASK-1', depends_on: [] },
        { id: 'TASK-2', depends_on: ['TASK-1'] },
        { id: 'TASK-3', status: 'done' },
      ],
    });
    expect(listed.problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('readme.md') }),
    ]);
    const run = project.json('run');
    expect(run.exit_code).toBe(0);
    for (const [name, text] of Object.entries(files)) {
      const expected = name.includes('completed') ? text : text.replace('status: To Do', 'status: Done');
      expect(readFileSync(join(project.root, name), 'utf8')).toBe(expected);
    }
    expect(existsSync(join(project.root, 'backlog/tasks/task-4 - Four.md'))).toBe(false);
    expect(existsSync(join(project.root, 'backlog/completed/task-8 - Eight.md'))).toBe(false);
    expect(project.git('log', '-1', '--name-only', '--format=%s').split('\n').filter(Boolean)).toEqual([
      'Mark what is done',
      'backlog/tasks/task-1 - One.md',
      'backlog/tasks/task-2 - Two.md',
    ]);
    expect(project.git('status', '--porcelain', '--', 'backlog')).toBe('');
  });
});

describe('ralph init', () => {
  it('names the lists of other tools, and takes one with something to do', () => {
    const project = makeProject({
      '.kiro/specs/a/tasks.md': '# Plan\n\n- [x] 1. Old\n- [x] 2. Older\n',
      '.kiro/specs/b/tasks.md':
        '# Plan\n\n- [ ] 1. New\n  - [x] 1.1 Part\n  - [ ] 1.2 Other part\n  - [ ]* 1.3 Tests\n',
      '.beads/issues.jsonl': '{"id":"x-1","title":"Issue","status":"open"}\n',
    });
    const init = project.json('init', '--no-try');
    expect(init).toMatchObject({ tracker: '.kiro/specs/b/tasks.md', tasks: 2 });
    expect(init.notes.join('\n')).toContain('Other task lists: .beads/issues.jsonl (1 open).');
    expect(readFileSync(join(project.root, '.ralph/ralph.toml'), 'utf8')).toContain(
      'path = ".kiro/specs/b/tasks.md"',
    );
    writeFileSync(join(project.root, '.ralph/ralph.toml'), '[tracker]\npath = ".kiro/specs/b"\n');
    expect(project.json('tasks')).toMatchObject({
      tracker: '.kiro/specs/b/tasks.md',
      tasks: [{ id: '1.1' }, { id: '1.2', status: 'open' }],
      problems: [{ message: expect.stringContaining('optional') }],
    });
  });
});

describe('ralph tasks convert', () => {
  it('prints the list in another form, writes a new file alone, and names what is lost', () => {
    const list = '- [x] **T-1** One\n  - it works\n- [ ] **T-2** Two\n  Depends on: T-1\n  Timeout: 20m\n';
    const project = makeProject({ '.ralph/PRD.md': list });
    const { text, lost } = project.json('tasks', 'convert', '--to', 'yaml');
    expect(lost).toEqual([]);
    expect(project.ralph('tasks', 'convert', '--to', 'yaml').stdout).toBe(text);
    const wrote = project.ralph('tasks', 'convert', '--to', 'task-master', '--out', 'tm.json');
    expect(wrote.stderr).toContain('timeout of T-2');
    expect(JSON.parse(readFileSync(join(project.root, 'tm.json'), 'utf8')).master.tasks).toMatchObject([
      { id: 1, status: 'done', subtasks: [{ title: 'it works' }] },
      { id: 2, status: 'pending', dependencies: [1] },
    ]);
    expect(project.json('tasks', 'convert', '--to', 'json', '--out', '.ralph/PRD.md').exit_code).toBe(2);
    expect(project.ralph('tasks', 'convert', '--to', 'jason').stderr).toContain('task-master');
    expect(readFileSync(join(project.root, '.ralph/PRD.md'), 'utf8')).toBe(list);
  });

  it('writes what has no effect until it is trusted, too, and says what it leaves out', () => {
    const own = {
      checks: ['npm test'],
      timeout: 32_400,
      owner: 'me',
      removalApprovedBy: 'me',
      review: 'essential',
    };
    const project = makeProject({
      '.ralph/prd.json': JSON.stringify({
        tasks: [
          { id: 'T-1', title: 'One', status: 'open', ...own },
          { id: 'T-2', title: 'Two', status: 'open', dependsOn: ['T-3'] },
          { id: 'T-3', title: 'Three', status: 'cancelled' },
        ],
      }),
    });
    const wrote = project.ralph('tasks', 'convert', '--to', 'json');
    expect(JSON.parse(wrote.stdout).tasks[0]).toMatchObject(own);
    const said = wrote.stderr.replace(/\s+/g, ' ');
    expect(said).toContain('left out: 1 task (T-3)');
    expect(said).toContain('T-2 depends on T-3');
    expect(project.json('tasks', 'convert', '--to', 'task-master').lost.join('\n')).toContain(
      'dependencies of T-2',
    );
  });
});
