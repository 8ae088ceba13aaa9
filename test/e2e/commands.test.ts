/** @module-tag rest */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  always,
  blocked,
  claim,
  makeProject,
  ONE_TASK,
  type Project,
  type ProjectFiles,
  projectAt,
} from '../helpers/cli.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';

const PLAN = `# Plan

## Tasks

- [ ] **T-1** Write the parser
  - \`parser.js\` exists
- [ ] **T-2** Write the printer
- [ ] **T-3** Write the shell
  - Depends on: T-2
`;

/** T-1 is done at the second attempt, T-2 gives up, and T-3 has to wait for T-2. */
const SCENARIO = JSON.stringify({
  steps: [
    { when: { task: 'T-1', feedback: false }, do: [claim('parser.js:1-9 invented')] },
    {
      when: { task: 'T-1' },
      do: [
        { action: 'print', text: 'Here is \u001b[31mthe parser\u001b[0m at last.' },
        { action: 'write', path: 'parser.js', content: 'parse\n' },
        claim('parser.js:1 parses'),
      ],
    },
    {
      when: { task: 'T-2' },
      do: [blocked('There is no printer.')],
    },
  ],
});

const FILES: ProjectFiles = { '.ralph/PRD.md': PLAN, '.ralph/scenario.json': SCENARIO };

function projectAfterRun(): Project {
  const project = makeProject(FILES);
  const { code, stderr } = project.ralph('run');
  if (code !== 4) throw new Error(`the run ended with ${code}: ${stderr}`);
  return project;
}

describe('what can be asked after a run', () => {
  const project = projectAfterRun();

  // Tests run several at a time, because most of their time is waiting for processes.
  it.concurrent.each([
    [0, 'status'],
    [0, 'tasks'],
    [0, 'explain'],
    [0, 'prompt', 'T-3'],
    [0, 'interventions'],
    [0, 'profile'],
    [0, 'blocked'],
    [0, 'logs'],
    [0, 'feedback'],
    [4, 'run', '--dry-run'],
  ] satisfies [number, string, ...string[]][])(
    'exit %i and one JSON document: ralph %s',
    async (code, name, ...args: string[]) => {
      const document = await project.jsonLater(name, ...args);
      expect(document).toMatchObject({ schema_version: 'ralph.cli.v1', cmd: name, exit_code: code });
      expect(new Date(document.timestamp).toISOString()).toBe(document.timestamp);
    },
  );

  it('changes nothing by asking', async () => {
    const journal = project.read('.ralph/journal.jsonl');
    const asked = ['status', 'tasks', 'explain', 'prompt', 'interventions', 'profile', 'blocked', 'logs'];
    await Promise.all(asked.map((command) => project.start(command).ended));
    expect(project.read('.ralph/journal.jsonl')).toBe(journal);
  });

  it('gives the data of each task', () => {
    expect(project.json('tasks').tasks).toMatchObject([
      {
        id: 'T-1',
        status: 'done',
        acceptance: ['`parser.js` exists'],
        complexity: 'complex',
        timeout_seconds: 240,
        timeout_reason: expect.stringMatching(/^240 s = 120 × 2\.0 \(complex: /),
      },
      { id: 'T-2', status: 'blocked', blocked: { detail: expect.stringContaining('There is no printer.') } },
      { id: 'T-3', status: 'open', depends_on: ['T-2'], attempts: 0, blocked: null },
    ]);
  });

  it.concurrent.each([
    { filter: ['--type', 'no_files_detected'], expected: ['no_files_detected'] },
    { filter: ['--severity', 'critical'], expected: ['no_files_detected', 'false_completion_detected'] },
    { filter: ['--task', 'T-2'], expected: ['agent_reinforced', 'task_blocked'] },
    { filter: ['--task', 'T-3'], expected: [] },
    { filter: ['--last', '1'], expected: ['task_blocked'] },
    { filter: ['--last', '0'], expected: [] },
    { filter: ['--limit', '1'], expected: ['task_blocked'] },
    { filter: ['--latest'], expected: ['task_blocked'] },
    {
      filter: ['--task', 'T-1', '--severity', 'info'],
      expected: ['agent_reinforced', 'intervention_applied'],
    },
  ])('interventions $filter', async ({ filter, expected }) => {
    const { events } = await project.jsonLater('interventions', ...filter);
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toEqual(expected);
  });

  it('shows what an iteration printed without its control characters, in JSON too', () => {
    expect(project.json('logs', '2').attempts).toMatchObject([
      { task_id: 'T-1', verdict: 'done', errors: '' },
    ]);
    expect(project.json('logs', '2', '--raw').attempts[0].output).toContain('Here is the parser at last.');
  });

  it('shows the iteration on record, not the folders that killed runs made for its number', () => {
    const killed = [1, 2, 3, 4, 5].map((day) => `.ralph/runs/r-2000010${day}-000000-aaaa`);
    for (const run of killed) project.write(`${run}/iterations/0002/prompt.md`, 'never sent\n');
    expect(project.json('logs', '2').attempts).toMatchObject([{ task_id: 'T-1', verdict: 'done' }]);
    for (const run of killed) rmSync(join(project.root, run), { recursive: true });
  });
});

describe('what can be changed', () => {
  const project = projectAfterRun();

  it('interventions --reset archives, and never deletes', () => {
    const before = project.events();
    const reset = project.json('interventions', '--reset');
    expect(reset).toMatchObject({ exit_code: 0, reset: before.length });
    expect(project.events()).toEqual([]);
    const archive = gunzipSync(readFileSync(project.path(reset.archive))).toString('utf8');
    expect(JSON.parse(archive).events).toEqual(before);
    expect(project.ralph('interventions', '--reset').stdout).toContain('There was nothing to archive.');
  });

  it('feedback add, list and clear', () => {
    expect(project.ralph('feedback', 'add', 'Use', 'the tokenizer').stdout).toContain('Use the tokenizer');
    project.ralph('feedback', 'add', '--task', 'T-2', 'Only for the parser');
    project.ralph('feedback', 'add', '--task', 'T-1', 'For a task that is done');
    const { entries } = project.json('feedback', 'list');
    expect(entries).toContainEqual(
      expect.objectContaining({ task_id: null, source: 'person', text: 'Use the tokenizer' }),
    );
    expect(entries).toContainEqual(expect.objectContaining({ task_id: 'T-2', text: 'Only for the parser' }));
    expect(JSON.stringify(entries)).not.toContain('For a task that is done');
    const prompt = project.ralph('prompt', 'T-3').stdout;
    expect(prompt).toContain('Use the tokenizer');
    expect(prompt).not.toContain('Only for the parser');
    expect(project.ralph('feedback', 'clear').stdout).toContain('Cleared.');
    expect(project.ralph('prompt', 'T-3').stdout).not.toContain('Use the tokenizer');
  });
});

describe('ralph init', () => {
  it('sets up a repository in which a run can start', () => {
    const project = projectAt(
      makeRepository({ 'package.json': '{"scripts":{"test":"node --test","lint":"true"}}\n' }).root,
    );
    const init = project.json('init', '--agent', 'scripted');
    expect(init).toMatchObject({
      exit_code: 0,
      written: ['.ralph/ralph.toml', '.ralph/PRD.md', '.ralph/.gitignore'],
      kept: [],
      gates: ['npm run lint', 'npm test'],
    });
    expect(project.read('.ralph/ralph.toml')).toContain('commit = "on_done"');
    // The example in the list that `ralph init` writes isn't a task.
    expect(project.json('tasks').tasks).toHaveLength(0);
    project.write('.ralph/scenario.json', '{"steps":[{"do":[]}]}');
    expect(project.json('run')).toMatchObject({ exit_code: 2 });
    expect(project.json('tasks', 'add', 'Add a README').exit_code).toBe(0);
    expect(project.json('run', '--dry-run')).toMatchObject({ exit_code: 0, outcome: 'task' });
  });

  it('keeps what is there, and with --force puts it aside first', () => {
    const project = makeProject();
    const toml = project.read('.ralph/ralph.toml');
    const kept = project.json('init');
    expect(kept.kept).toContain('.ralph/ralph.toml');
    expect(kept.archived).toEqual([]);
    expect(project.read('.ralph/ralph.toml')).toBe(toml);
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);

    const forced = project.json('init', '--force');
    expect(forced.archived).toHaveLength(1);
    expect(project.read(forced.archived[0])).toBe(toml);
    expect(project.read('.ralph/ralph.toml')).not.toBe(toml);
    // `ralph init` never replaces a task list that holds tasks by its template.
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
  });
});

describe('the command lines of the backend design', () => {
  const project = projectAfterRun();

  it.concurrent.each([
    ['interventions --last 10', 0],
    ['interventions --reset', 0],
    ['profile --agent scripted', 0],
    ['blocked --suggest', 0],
    ['unblock T-2 --timeout 1800', 0],
    // No task matches, so the filter is refused; the form of the options is right.
    ['unblock --filter ui_heavy --timeout-multiplier 3.0', 2],
    ['retry-blocked --max-attempts 1', 0],
  ])('are taken as they are typed: ralph %s', async (line, code) => {
    const { stderr, ...ended } = await project.start(...line.split(' ')).ended;
    expect(ended.code, stderr).toBe(code);
    expect(stderr).not.toMatch(/unknown option|unknown command|argument/);
  });
});

describe('what cannot be done', () => {
  const project = makeProject(FILES);

  it.concurrent.each([
    { args: ['statsu'], says: ['statsu', 'status'] },
    { args: ['undo'], says: ["Unknown command 'undo'. Did you mean rollback?", 'Next: ralph rollback'] },
    {
      args: ['run', 'T-2'],
      says: ["ralph run doesn't take the argument 'T-2'.", 'Next: ralph run --task T-2'],
    },
    { args: ['run', '--max-iteration', '2'], says: ['--max-iteration', '--max-iterations'] },
    { args: ['run', '--max-iterations', 'two'], says: ['--max-iterations', 'two', 'whole number'] },
    {
      args: ['--format', 'yaml', 'status'],
      says: ['yaml', 'text, json', 'Next: ralph --format json status'],
    },
    { args: ['run', '--task', 'T-11'], says: ['There is no task T-11.', 'Did you mean T-1?'] },
    { args: ['explain', 'T-11'], says: ['There is no task T-11.', 'Did you mean T-1?', 'Next: ralph tasks'] },
    { args: ['prompt', 'x'], says: ['There is no task x.', 'Known: T-1, T-2, T-3'] },
    { args: ['run', '--agent', 'claud'], says: ['--agent', 'found "claud"', 'did you mean "claude"?'] },
    { args: ['run', '--mode', 'sped'], says: ['sped', 'speed'] },
    { args: ['run', '--workers', '0'], says: ['--workers', 'expected 1 or more'] },
    { args: ['interventions', '--type', 'no_files'], says: ['Did you mean', 'no_files_detected'] },
    { args: ['interventions', '--severity', 'criticl'], says: ['Did you mean critical?'] },
    { args: ['profile', '--agent', 'codex'], says: ['There is no profile of codex yet.'] },
    { args: ['logs'], says: ['There are no iterations yet.', 'ralph run'] },
    { args: ['feedback', 'add', ' '], says: ['There is no text to add.'] },
    {
      args: ['feedback', 'add', '--task', 'NOPE', 'x'],
      says: ['There is no task NOPE.', 'Next: ralph tasks'],
    },
    { args: ['init', '--agent', 'nosuch'], says: ['There is no agent "nosuch".', 'Known: auto, claude'] },
    { args: ['metrics', '--format', 'prom'], says: ["'prom'", 'Did you mean prometheus?'] },
    { args: ['tasks', 'ad', 'x'], says: ["Unknown command 'tasks ad'.", 'Next: ralph tasks add x'] },
    { args: ['--cwd', 'no-such-folder', 'status'], says: ['There is no folder', 'no-such-folder'] },
    {
      args: ['--cwd', 'one\ntwo', 'run'],
      says: ['one\\ntwo" has a line break', 'Rename the folder.'],
    },
  ])('ralph $args is exit 2, with what helps', async ({ args, says }) => {
    const run = await project.start(...args).ended;
    expect(run.code).toBe(2);
    const text = run.stdout + run.stderr;
    for (const part of says) expect(text).toContain(part);
    expect(text).not.toMatch(/^\s+at /m);
    expect(text).not.toContain('\u001b');
    expect(project.iterations()).toEqual([]);
  });

  it('is said in JSON too', () => {
    expect(project.json('explain', 'T-11')).toMatchObject({
      schema_version: 'ralph.cli.v1',
      cmd: 'explain',
      exit_code: 2,
      error: { message: expect.stringContaining('Did you mean T-1?'), next: 'ralph tasks' },
    });
    expect(project.json('statsu')).toMatchObject({ schema_version: 'ralph.cli.v1', exit_code: 2 });
  });

  it.concurrent.each(['run', 'status', 'init'])('ralph %s outside of a repository', async (command) => {
    const run = await projectAt(temporaryFolder()).start(command).ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/git/i);
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  it.concurrent.each([
    { name: 'an unknown key', toml: '[loop]\nagnet = "x"\n', says: ['.ralph/ralph.toml:2:', 'agent'] },
    {
      name: 'a wrong type',
      toml: '[loop]\nagent = "scripted"\nmax_iterations = "many"\n',
      says: ['.ralph/ralph.toml:3:'],
    },
    { name: 'broken TOML', toml: '[loop]\nagent = \n', says: ['.ralph/ralph.toml:2'] },
  ])('configuration with $name is exit 2, with its place', async ({ toml, says }) => {
    const run = await makeProject({ '.ralph/ralph.toml': toml }).start('run').ended;
    expect(run.code).toBe(2);
    for (const part of says) expect(run.stderr).toContain(part);
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  it.concurrent.each([
    {
      name: 'a cycle',
      plan: '## Tasks\n- [ ] **A-1** a\n  - Depends on: A-2\n- [ ] **A-2** b\n  - Depends on: A-1\n',
    },
    { name: 'an unknown dependency', plan: '## Tasks\n- [ ] **A-1** a\n  - Depends on: A-2\n' },
  ])('a task list with $name is exit 2, with its place', async ({ plan }) => {
    const files = { '.ralph/PRD.md': plan, '.ralph/scenario.json': always(claim()) };
    const run = await makeProject(files).start('run').ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('.ralph/PRD.md');
    expect(run.stderr).toContain('A-2');
  });
});
