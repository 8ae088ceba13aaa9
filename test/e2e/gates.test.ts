import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, attempts, claim, makeProject, ONE_TASK } from '../helpers/cli.ts';

/** Fails for each file that holds BROKEN, and writes down that it ran. */
const CHECK = `echo ran >> ran.log
if grep -rn BROKEN src; then echo "the check found it" >&2; exit 7; fi
`;

const GATE = '[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "check", run = "sh check.sh" }]\n';

const FILES = {
  '.gitignore': 'ran.log\n',
  'check.sh': CHECK,
  'src/old.js': 'fine\n',
  '.ralph/ralph.toml': GATE,
};

const write = (content: string): ScenarioAction => ({ action: 'write', path: 'src/new.js', content });

// Several at a time: most of it is waiting for processes.
describe.concurrent('gates', () => {
  it('override a claim, and their output is in the next prompt', async () => {
    const project = makeProject({
      ...FILES,
      '.ralph/scenario.json': attempts(
        [write('BROKEN unique-word\n'), claim('src/new.js:1 works')],
        [write('fine\n'), claim('src/new.js:1 works')],
      ),
    });

    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
    expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['check'] });
    const types = project.events().map(({ event_type }) => event_type);
    expect(types.filter((type) => type === 'false_completion_detected')).toHaveLength(1);
    expect(types.filter((type) => type === 'gate_regression')).toHaveLength(1);

    const second = await project.start('run').ended;
    expect(second.code).toBe(0);
    expect(second.stdout).toContain('✔ check');
    const [, feedback = ''] = project.promptOf(2).split('\n## Previous Iteration Feedback (DO NOT IGNORE)\n');
    expect(feedback).toContain('src/new.js:1:BROKEN unique-word');
    expect(feedback).toContain('the check found it');
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK.replace('[ ]', '[x]'));
  });

  it('that the agent removes are held against it: a check that is gone is not passed', async () => {
    const project = makeProject({
      ...FILES,
      'check.sh': '#!/bin/sh\nexit 0\n',
      '.ralph/ralph.toml': GATE.replace('sh check.sh', './check.sh'),
      '.ralph/scenario.json': always(
        write('fine\n'),
        { action: 'delete', path: 'check.sh' },
        claim('src/new.js:1 works'),
      ),
    });
    chmodSync(join(project.root, 'check.sh'), 0o755);

    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['check'] });
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
  });

  it('that failed before the attempt are not held against it', async () => {
    const project = makeProject({
      ...FILES,
      'src/old.js': 'BROKEN since long\n',
      '.ralph/scenario.json': always(write('fine\n'), claim('src/new.js:1 works')),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('Already failing before this run; ignored: check');
    expect(project.iteration(1).decisions.gateReport.judgements).toMatchObject([
      { name: 'check', standing: 'failed_before', counts: false },
    ]);
  });

  it('stay held against a regression until they pass again', async () => {
    const project = makeProject({
      ...FILES,
      '.ralph/scenario.json': attempts(
        [write('BROKEN\n'), claim()],
        [{ action: 'write', path: 'src/other.js', content: 'fine\n' }, claim()],
        [write('fine\n'), claim()],
      ),
    });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect([1, 2, 3].map((number) => project.iteration(number).decisions.verdict.kind)).toEqual([
      'gates_failed',
      'gates_failed',
      'done',
    ]);
  });

  it('pass judgement alone when the configuration says so', async () => {
    const project = makeProject({
      ...FILES,
      '.ralph/ralph.toml': GATE.replace('[gates]', 'completion = "gates"\n\n[gates]'),
      '.ralph/scenario.json': always(write('fine\n')),
    });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.iteration(1).decisions.cause).toContain('The gates passed and decide alone');
  });
});

describe.concurrent('a gate whose tool is missing', () => {
  const missing = (more: string) => ({
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "lint", run = "no-such-linter --all"${more} }]\n`,
    '.ralph/scenario.json': always(write('fine\n'), claim('src/new.js:1 works')),
  });

  it('stops the run before the first attempt, with its name', async () => {
    const project = makeProject(missing(''));
    const run = await project.start('run').ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('gate "lint" needs no-such-linter, which was not found');
    expect(run.stderr).toContain('on_missing = "warn"');
    expect(project.iterations()).toEqual([]);
    expect(project.exists('src/new.js')).toBe(false);
  });

  it('is a warning where the configuration allows it, and not held against the agent', async () => {
    const project = makeProject(missing(', on_missing = "warn"'));
    const run = await project.start('run').ended;
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(`Gate "lint" needs no-such-linter, which wasn't found; the run continues`);
    expect(project.events()).toEqual([]);
    expect(project.iteration(1).decisions.gateReport.judgements).toMatchObject([
      { name: 'lint', standing: 'tool_missing', counts: false },
    ]);
  });

  it('stops the run where the gate is required, whatever on_missing says', async () => {
    const project = makeProject(missing(', on_missing = "skip", required = true'));
    const run = await project.start('run').ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('gate "lint" needs no-such-linter');
    expect(project.iterations()).toEqual([]);
  });

  it('is not passed where a task requires it, nor is one that is not configured', async () => {
    const task = (gates: string) => `# Plan\n\n## Tasks\n\n- [ ] **T-1** Write it\n  - Gates: ${gates}\n`;
    for (const [gates, more] of [
      ['lint', ', on_missing = "warn"'],
      ['nowhere', ', on_missing = "skip"'],
    ] as const) {
      const project = makeProject({ ...missing(more), '.ralph/PRD.md': task(gates) });
      expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
      expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'gates_failed', gates: [gates] });
      expect(project.iteration(1).decisions.cause).toContain('which is missing');
    }
  });
});
