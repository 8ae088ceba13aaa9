/** @module-tag slow */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { BIN, type Project, type ProjectFiles, projectAt } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { finishedOf } from '../helpers/finished.ts';
import { makeRepository, repositoryAt, temporaryFolder } from '../helpers/repository.ts';

const projectWith = (files: ProjectFiles): Project => projectAt(makeRepository(files).root);
const SCRIPTS = '{"scripts":{"test":"node --test","lint":"exit 3","typecheck":"no-such-tool"}}\n';

describe('ralph init without questions', () => {
  it('runs each gate once; one without its tool is a comment, and keeps no run from starting', () => {
    const project = projectWith({ 'package.json': SCRIPTS, 'TODO.md': '- [ ] Add a login\n' });
    const init = project.json('init', '--agent', 'scripted');
    expect(init).toMatchObject({
      exit_code: 0,
      tracker: 'TODO.md',
      gates: ['npm run lint', 'npm test'],
      checks: [
        { name: 'lint', result: 'failed', detail: 'failed (exit 3)' },
        { name: 'typecheck', result: 'tool_missing', detail: 'could not run: no-such-tool was not found' },
        { name: 'test', result: 'passed' },
      ],
    });
    const toml = project.read('.ralph/ralph.toml');
    expect(toml).toContain('path = "TODO.md"');
    expect(toml).toContain('  # { name = "typecheck", run = "npm run typecheck" },');
    expect(project.exists('.ralph/PRD.md')).toBe(false);
    project.write('.ralph/scenario.json', '{"steps":[{"do":[]}]}');
    expect(project.json('run', '--dry-run')).toMatchObject({ exit_code: 0, outcome: 'task' });
  });

  it('names what helps where no agent would work, and how to start where one would', () => {
    const programs = temporaryFolder();
    const project = projectWith({ 'TODO.md': '- [ ] Add a login\n' });
    const init = (...args: string[]) => {
      vi.stubEnv('PATH', `${programs}:/usr/bin:/bin`);
      const { stdout, code } = project.ralph('init', '--force', ...args);
      vi.unstubAllEnvs();
      // Where no agent is installed the exit code is 2, so that a script doesn't continue with a run.
      expect(code).toBe(stdout.includes('Install') ? 2 : 0);
      return stdout.slice(stdout.indexOf('Next:')).replace(/\s+/g, ' ').trim();
    };
    expect(init()).toMatch(/^Next: Install one of these agents: claude .* then: ralph run$/);
    expect(init('--agent', 'codex')).toBe(
      'Next: Install codex: codex npm i -g @openai/codex then: ralph run',
    );
    writeFileSync(`${programs}/codex`, '#!/bin/sh\n', { mode: 0o755 });
    for (const agent of ['auto', 'codex'])
      expect(init('--agent', agent)).toBe('Next: ralph run --dry-run ralph run');
    expect(projectWith({}).ralph('init').stdout).toMatch(
      /Next: write your tasks .*\n {6}.* then: ralph run/s,
    );
  });

  it.each([
    ['takes what can', '1 passed in 0.01s', 0, 'python3 -m pytest -q', 'passed'],
    ['keeps what is usual where that does no better', 'No module named pytest', 1, 'pytest -q', 'failed'],
  ])('where pytest alone can load no test, %s', (_, says, code, run, result) => {
    const programs = temporaryFolder();
    const program = (name: string, printed: string, status: number) =>
      writeFileSync(`${programs}/${name}`, `#!/bin/sh\ncat <<'END'\n${printed}\nEND\nexit ${status}\n`, {
        mode: 0o755,
      });
    program('pytest', '_____ ERROR collecting tests/test_calc.py _____\n1 error in 0.07s', 2);
    program('python3', says, code);
    vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
    const project = projectWith({ 'pyproject.toml': '[project]\n', 'tests/test_calc.py': 'import calc\n' });
    expect(project.json('init').checks).toMatchObject([{ name: 'test', run, result }]);
    expect(project.read('.ralph/ralph.toml')).toContain(`{ name = "test", run = "${run}" },`);
    vi.unstubAllEnvs();
  });

  it.each([
    [['--agent', 'nosuch'], 'Known: auto, claude'],
    [['--agent', 'claud'], 'Did you mean claude?'],
    [['--list', 'package.json'], "package.json isn't a file with tasks"],
    [['--list', 'nowhere.md'], "nowhere.md isn't a file with tasks"],
    [['--task', 'One\nTwo'], 'one line of text'],
  ])('%j is exit 2, and leaves nothing', (args, says) => {
    const project = projectWith({ 'package.json': SCRIPTS });
    const { code, stderr } = project.ralph('init', ...args);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(says)]);
    expect(project.exists('.ralph')).toBe(false);
  });

  it('takes tasks, gates and a list as they are given', () => {
    const project = projectWith({ 'package.json': SCRIPTS, 'docs/My plän.md': '- [ ] **T-1** One\n' });
    expect(project.json('init', '--task', 'Say "hi"', '--gate', "test 'a b' = 'a b'")).toMatchObject({
      has_tasks: true,
      checks: [{ result: 'passed' }],
    });
    expect(project.json('tasks').tasks).toMatchObject([{ title: 'Say "hi"' }]);
    expect(project.json('init', '--force', '--list', 'docs/My plän.md', '--no-gates').archived).toHaveLength(
      1,
    );
    expect(project.json('tasks').tasks).toMatchObject([{ id: 'T-1', title: 'One' }]);
    expect(project.json('init', '--force', '--no-try').checks[0]).toMatchObject({ result: 'not_run' });
    expect(readdirSync(project.path('.ralph/archive'))).toHaveLength(2);
  });

  it.each([
    ['PRD.md', '- [ ] One\n', '.ralph/PRD.md'],
    ['tasks.yaml', 'tasks:\n  - id: 1\n    title: One\n', '.ralph/PRD.md'],
    ['.ralph/prd.json', '{"stories":[{"id":"S-1","title":"One"}]}', '.ralph/PRD.md'],
  ])('keeps the list that is there: %s', (path, text, notMade) => {
    const project = projectWith({ [path]: text });
    expect(project.json('init')).toMatchObject({ tracker: path, has_tasks: true });
    expect(project.exists(notMade)).toBe(false);
    expect(project.read('.ralph/ralph.toml')).toContain('# path = ""');
    expect(project.json('tasks').tasks).toMatchObject([{ title: 'One' }]);
  });

  it('works before the first commit, and in a folder below the top', () => {
    const root = temporaryFolder();
    repositoryAt(root).git('init', '-q', '--template=');
    const project = projectAt(root);
    project.write("a 'b' ü/go.mod", 'module x\n');
    expect(projectAt(project.path("a 'b' ü")).json('init', '--no-try', '--agent', 'scripted')).toMatchObject({
      exit_code: 0,
      gates: ["cd 'a '\\''b'\\'' ü' && go test -v ./..."],
    });
    expect(project.read('.ralph/ralph.toml')).toContain("a 'b' ü test");
  });
});

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Starts `ralph init` on a terminal of 80 columns. */
function atTerminal(project: Project, args = '', variables: NodeJS.ProcessEnv = {}) {
  const line = `stty cols 80 rows 40; exec "${process.execPath}" "${BIN}" init ${args}`;
  const { CI: _, NO_COLOR: __, ...env } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project.root,
    env: { ...env, TERM: 'xterm', ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.on('data', (data) => {
    shown += data;
  });
  const shows = (text: string) => eventually(() => expect(shown).toContain(text));
  return {
    ended: finishedOf(child),
    shows,
    type: (keys: string) => child.stdin.write(keys),
    shown: () => shown,
  };
}

const QUESTIONS = [
  ['What is the first task?', 'Add a login\r'],
  ['And then?', '\r'],
  ['Which agent?', '\r'],
  ['Which checks must pass', '\r'],
] as const;

describe.runIf(hasTerminal)('ralph init on a terminal', () => {
  it('asks for tasks, agent and checks', async () => {
    const project = projectWith({ 'package.json': '{"scripts":{"test":"true","lint":"true"}}' });
    const { ended, shows, type } = atTerminal(project);
    for (const [question, answer] of QUESTIONS.slice(0, 3)) {
      await shows(question);
      type(answer);
    }
    await shows('Which checks must pass');
    // The first of the gates is switched off.
    type(' \r');
    expect((await ended).code).toBe(0);
    expect(project.json('tasks').tasks).toMatchObject([{ title: 'Add a login' }]);
    expect(project.read('.ralph/ralph.toml')).toMatch(
      /commands = \[\n {2}\{ name = "test", run = "npm test" \},\n\]/,
    );
  });

  it('offers the lists that are there', async () => {
    const project = projectWith({ 'TODO.md': '- [ ] One\n' });
    const { ended, shows, type } = atTerminal(project, '--agent claude --no-gates');
    await shows('Which task list?');
    type('\r');
    expect((await ended).code).toBe(0);
    expect(project.read('.ralph/ralph.toml')).toContain('path = "TODO.md"');
  });

  it('offers no new list in the place of one that is there', async () => {
    const project = projectWith({ '.ralph/PRD.md': '- [ ] One\n' });
    const { ended, shows, type, shown } = atTerminal(project, '--agent claude');
    await shows('Which command checks the work?');
    type('! true\r');
    expect((await ended).code).toBe(0);
    expect(shown()).toContain('See why: ralph gates');
    expect(project.read('.ralph/PRD.md')).toBe('- [ ] One\n');
  });

  it.each(QUESTIONS.map(([question], index) => [question, index] as const))(
    'Ctrl-C at "%s" leaves nothing behind',
    async (_, index) => {
      const project = projectWith({ 'package.json': '{"scripts":{"test":"true"}}' });
      const { ended, shows, type } = atTerminal(project);
      for (const [question, answer] of QUESTIONS.slice(0, index)) {
        await shows(question);
        type(answer);
      }
      await shows(QUESTIONS[index]?.[0] ?? '');
      type('\u0003');
      expect((await ended).code).toBe(130);
      expect(existsSync(project.path('.ralph'))).toBe(false);
    },
  );

  it('Ctrl-C while a check is tried leaves nothing behind', async () => {
    const project = projectWith({ 'package.json': '{"scripts":{"test":"sleep 600"}}' });
    const { ended, shows, type } = atTerminal(project, '--yes');
    await shows('Trying npm test');
    type('\u0003');
    expect((await ended).code).toBe(130);
    expect(existsSync(project.path('.ralph'))).toBe(false);
  });

  it.each([
    ['--yes', '--yes', {}],
    ['CI', '', { CI: '1' }],
    ['a dumb terminal', '', { TERM: 'dumb' }],
    ['JSON', '--json', {}],
    ['input from elsewhere', '</dev/null', {}],
    ['a file', '>/dev/null', {}],
  ])('asks nothing with %s', async (_, args, variables) => {
    const project = projectWith({ 'package.json': '{"scripts":{"test":"true"}}' });
    const { ended, shown } = atTerminal(project, `--agent scripted ${args}`, variables);
    expect((await ended).code).toBe(0);
    expect(shown()).not.toContain('Which');
    expect(project.exists('.ralph/ralph.toml')).toBe(true);
  });

  it('has nothing to ask where all is there', async () => {
    const project = projectWith({ 'README.md': '' });
    expect(project.ralph('init', '--task', 'One', '--agent', 'scripted').code).toBe(0);
    const { ended, shown } = atTerminal(project);
    expect((await ended).code).toBe(0);
    expect(shown()).toContain('kept .ralph/ralph.toml');
  });
});
