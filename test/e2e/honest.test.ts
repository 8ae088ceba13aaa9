/** @module-tag rest */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { claim, makeProject, projectAt, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

describe('ralph demo', () => {
  it('shows a lie caught, the feedback and the success', () => {
    const states = temporaryFolder();
    vi.stubEnv('XDG_STATE_HOME', states);
    const run = projectAt(temporaryFolder()).ralph('demo');
    vi.unstubAllEnvs();
    expect(readdirSync(join(states, 'ralph'))).toEqual([]);
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    const output = run.stdout.replace(/\s+/g, ' ');
    expect(output).toContain('The agent finished and claimed completion, but changed no file.');
    expect(output).toContain('Not accepted as done.');
    expect(run.stdout).toContain('attempt 2 of 3');
    expect(run.stdout).toContain('2 of 2 tasks done.');
    expect(run.stdout).toMatch(/2 false claims caught: .*\./);
    expect(run.stdout).not.toContain('\u001b');
  });

  it('gives one JSON document, and touches nothing in the folder where it is called', () => {
    const project = makeProject();
    expect(project.json('demo')).toMatchObject({
      schema_version: 'ralph.cli.v1',
      cmd: 'demo',
      exit_code: 0,
      ending: 'all_done',
      tasks: { total: 2, done: 2, unverified: 0, blocked: 0, open: 0 },
      lies_caught: 2,
      iterations: 4,
    });
    expect(project.git('status', '--porcelain')).toBe('');
  });
});

/**
 * The list is odd on purpose: mixed line ends, tabs, trailing blanks, text that looks like boxes, no newline at the
 * end.
 */
const TRACKER = [
  '\uFEFF# Plän  ',
  '',
  'A [ ] that is no task.\r',
  '## Tasks\t',
  '- [ ] **T-1** Write one  ',
  '\t- `one.txt` exists',
  '* [x] **T-0** Long done',
  '',
  '- [ ] **T-2** Write two\r',
  '  - Depends on: T-1',
  '## Notes',
  '```',
  '- [ ] not a task',
  '```',
  'the end',
].join('\n');

const AGENT = `
cat >/dev/null
case "$RALPH_TASK_ID" in T-1) name=one;; *) name=two;; esac
echo "$RALPH_TASK_ID" > "$name.txt"
echo "I wrote $name.txt:1."
${SHELL_CLAIM}`;

describe('a shell script that does its work', () => {
  const project = makeProject({
    '.ralph/PRD.md': TRACKER,
    '.ralph/ralph.toml': shellAgent(),
    'agent.sh': AGENT,
  });
  const run = project.ralph('run');

  it('ends with exit 0 and a summary', () => {
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('.ralph/PRD.md: 1 of 3 done');
    expect(run.stdout).toContain('agent mine, mode speed');
    expect(run.stdout).toMatch(/(\d+) of \1 tasks? done\./);
    expect(run.stdout).toContain('✔ T-1 Write one');
    expect(run.stdout).toContain('✔ T-2 Write two');
    expect(run.stdout).not.toContain('caught');
  });

  it('ticks the two boxes and leaves every other byte', () => {
    expect(project.read('.ralph/PRD.md')).toBe(
      TRACKER.replace('- [ ] **T-1**', '- [x] **T-1**').replace('- [ ] **T-2**', '- [x] **T-2**'),
    );
  });

  it('records each attempt with the files that were written', () => {
    expect(project.iterations()).toEqual([1, 2]);
    expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'done' });
    expect(project.iteration(1).facts.changes.changes).toMatchObject([{ path: 'one.txt', kind: 'added' }]);
    expect(project.iteration(2).facts.changes.changes).toMatchObject([{ path: 'two.txt', kind: 'added' }]);
    expect(project.events()).toEqual([]);
  });

  it('commits nothing unless it is told to', () => {
    expect(project.git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('has nothing to do in the next run', () => {
    const again = project.json('run');
    expect(again).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 0 });
    expect(project.iterations()).toEqual([1, 2]);
  });
});

describe('work without a claim', () => {
  it('is progress: the task stays open, and nothing counts against the agent', () => {
    const project = makeProject({
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': 'cat >/dev/null\necho more >> "notes.txt"\n',
    });
    const run = project.json('run', '--max-iterations', '2');
    expect(run).toMatchObject({ exit_code: 3, ending: 'max_iterations', lies_caught: 0 });
    expect(project.iteration(2).decisions.verdict).toEqual({ kind: 'progress' });
    expect(project.events()).toEqual([]);
    expect(project.json('blocked').blocked).toEqual([]);
  });

  it("work that git ignores is named, to you and to the agent, and isn't a lie about a file", () => {
    const project = makeProject({
      '.gitignore': 'dist/\n',
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_attempts_per_task = 2\n',
      '.ralph/scenario.json': JSON.stringify({
        steps: [],
        otherwise: [{ action: 'write', path: 'dist/out.js', content: 'x\n' }, claim('dist/out.js:1')],
      }),
    });
    const output = project.ralph('run').stdout.replace(/\s+/g, ' ');
    expect(output).toContain(
      'changed no file. Git ignores dist/out.js, so it does not count ([snapshot] include_ignored).',
    );
    expect(project.promptOf(2)).toContain("Git ignores `dist/out.js`: that can't count.");
    expect(project.promptOf(2)).not.toContain('does not exist');
    expect(project.iteration(1).decisions.findings.map(({ type }) => type)).not.toContain('evidence_missing');
  });

  it('is exit 0 for a single step', () => {
    const project = makeProject({
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': 'cat >/dev/null\necho more >> "notes.txt"\n',
    });
    const { code, stdout } = project.ralph('step');
    expect([code, stdout]).toEqual([0, expect.stringContaining('exit code 0')]);
    expect(project.iterations()).toEqual([1]);
  });
});
