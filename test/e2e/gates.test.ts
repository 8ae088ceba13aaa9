/** @module-tag rest */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, attempts, claim, makeProject, ONE_TASK } from '../helpers/cli.ts';

/** This gate fails where a file holds BROKEN, and writes down that it ran. */
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

// Tests run several at a time, because most of their time is waiting for processes.
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

  it('that stay red are quoted as a sentence of their own', async () => {
    const project = makeProject({
      ...FILES,
      'check.sh':
        'grep -q BROKEN src/new.js || exit 0\necho "make: *** [Makefile:2: test] Error 1"\nexit 2\n',
      '.ralph/scenario.json': attempts([write('BROKEN\n'), claim()], [claim()]),
    });
    await project.start('run', '--max-iterations', '2').ended;
    expect(project.iteration(2).decisions.cause).toContain(
      'Still red: make: *** [Makefile:2: test] Error 1. Not accepted as done.',
    );
  });

  it('that the agent removes count against it: a check that is gone is not passed', async () => {
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
    project.git('commit', '-qam', 'A check that can be started');

    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['check'] });
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
  });

  it("that failed before the attempt don't count against it", async () => {
    const project = makeProject({
      ...FILES,
      'src/old.js': 'BROKEN since long\n',
      '.ralph/scenario.json': always(write('fine\n'), claim('src/new.js:1 works')),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(
      'Nothing checks this run: check already fails before it. See why: ralph gates',
    );
    expect(project.iteration(1).decisions.gateReport.judgements).toMatchObject([
      { name: 'check', standing: 'failed_before', counts: false },
    ]);
  });

  it('that are all off are named in the first line of a run and in the last, whenever that was seen', async () => {
    const commands = [
      '{ name = "a", run = "false" }',
      '{ name = "b", run = "no-such-tool", on_missing = "warn" }',
    ];
    const project = makeProject({
      '.ralph/PRD.md':
        '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n- [ ] **T-2** Write the printer\n',
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[gates]\ncommands = [${commands.join(', ')}]\n`,
      '.ralph/scenario.json': always(write('{task}\n'), claim('src/new.js:1 works')),
    });
    const ends = /^Nothing checked this run\. .* done/m;
    for (const task of ['T-1', 'T-2']) {
      const { code, stdout } = await project.start('run', '--task', task).ended;
      expect(code, stdout).toBe(0);
      // The warning is printed above the limits and the name of the run.
      const [first = ''] = stdout.replaceAll(/\s+/g, ' ').split(' ralph r-');
      expect(first).toMatch(
        /! Nothing checks this run: a already fails before it, b can't run\. See why: ralph gates 1 of 2 tasks, 3 attempts each, 3 in all; no cost limit; no time limit$/,
      );
      expect(stdout).toMatch(ends);
      const last = "! Nothing checked this run: a failed before it, b couldn't run. See why: ralph gates";
      expect(stdout.trimEnd().split('\n').slice(-2).join(' ').replaceAll(/\s+/g, ' ')).toContain(last);
    }
    expect(project.ralph('report').stdout).toMatch(ends);
    expect(project.ralph('report', '--format', 'markdown').stdout).toContain(
      'Nothing checked this run: a failed',
    );
    expect(project.json('report').unchecked).toEqual([
      { gate: 'a', why: 'fails' },
      { gate: 'b', why: 'cannot_run' },
    ]);
  });

  it('are on where one of several is, or where a failing one is required', async () => {
    for (const commands of ['"false", "true"', '{ name = "a", run = "false", required = true }']) {
      const project = makeProject({
        '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_iterations = 1\n[gates]\ncommands = [${commands}]\n`,
        '.ralph/scenario.json': always(write('fine\n'), claim('src/new.js:1 works')),
      });
      const { stdout } = await project.start('run').ended;
      expect(stdout).not.toContain('Nothing check');
      expect(project.json('report').unchecked).toEqual([]);
    }
  });

  it('that pass again in a run have checked it', async () => {
    const project = makeProject({
      ...FILES,
      'src/old.js': 'BROKEN since long\n',
      '.ralph/scenario.json': always(
        { action: 'write', path: 'src/old.js', content: 'fine\n' },
        claim('src/old.js:1 fine'),
      ),
    });
    const { code, stdout } = await project.start('run').ended;
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('Nothing checks this run: check already fails before it.');
    expect(stdout).not.toContain('Nothing checked');
    expect(project.json('report').unchecked).toEqual([]);
  });

  it('count as a regression until they pass again', async () => {
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
    expect(run.stderr).toContain("lint: no-such-linter isn't installed");
    expect(run.stderr).toContain('on_missing = "warn"');
    expect(project.iterations()).toEqual([]);
    expect(project.exists('src/new.js')).toBe(false);
  });

  it("is a warning where the configuration allows it, and doesn't count against the agent", async () => {
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
    expect(run.stderr).toContain("lint: no-such-linter isn't installed");
    expect(project.iterations()).toEqual([]);
  });

  it('is not passed where a task requires it; one that is not configured is a mistake in the list', async () => {
    const task = (gates: string) => `# Plan\n\n## Tasks\n\n- [ ] **T-1** Write it\n  - Gates: ${gates}\n`;
    const warned = makeProject({ ...missing(', on_missing = "warn"'), '.ralph/PRD.md': task('lint') });
    expect(await warned.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    expect(warned.iteration(1).decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['lint'] });
    expect(warned.iteration(1).decisions.cause).toContain('was not found');
    const unknown = makeProject({ ...missing(', on_missing = "skip"'), '.ralph/PRD.md': task('nowhere') });
    const run = await unknown.start('run', '--max-iterations', '1').ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('there is no gate "nowhere"');
    expect(unknown.iterations()).toEqual([]);
  });
});

describe.concurrent('what a gate runs', () => {
  const REQUIRED = GATE.replace('run = ', 'required = true, run = ');
  const edit = (path: string, content: string): ScenarioAction => ({ action: 'write', path, content });

  it('counts against a task that made it check nothing, attempt after attempt, until it is back', async () => {
    const project = makeProject({
      ...FILES,
      '.ralph/ralph.toml': REQUIRED,
      '.ralph/scenario.json': attempts(
        [write('BROKEN\n'), edit('check.sh', 'exit 0\n'), claim('src/new.js:1 works')],
        [write('BROKEN again\n'), claim('src/new.js:1 works')],
        [write('fine\n'), edit('check.sh', CHECK), claim('src/new.js:1 works')],
      ),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('check (checks nothing any more)');
    const decided = [1, 2, 3].map((number) => project.iteration(number).decisions);
    expect(decided.map(({ verdict }) => verdict.kind)).toEqual(['gates_failed', 'gates_failed', 'done']);
    expect(decided[0]?.cause).toContain('check.sh runs `exit 0` before it checks anything');
    expect(decided[1]?.gateChanges).toMatchObject([{ gate: 'check', now: false }]);
    expect(project.promptOf(2)).toContain('Restore it as it was before your work.');
    // You approved the tree in between, not that a check was taken out of it.
    expect(project.events().filter(({ event_type }) => event_type === 'gate_changed')).toHaveLength(3);
  });

  it('stays what it was over the end of a run', async () => {
    const project = makeProject({
      ...FILES,
      '.ralph/ralph.toml': REQUIRED,
      '.ralph/scenario.json': attempts(
        [write('BROKEN\n'), edit('check.sh', 'exit 0\n')],
        [write('BROKEN again\n'), claim('src/new.js:1 works')],
      ),
    });
    await project.start('run', '--max-iterations', '1').ended;
    await project.start('run', '--max-iterations', '1').ended;
    expect(project.iteration(2).decisions.verdict.kind).toBe('gates_failed');
  });

  it('is named in the verdict where it is another now, and passes', async () => {
    const project = makeProject({
      ...FILES,
      '.ralph/ralph.toml': REQUIRED,
      '.ralph/scenario.json': always(
        write('fine\n'),
        edit('check.sh', `${CHECK}test -f src/new.js\n`),
        claim('src/new.js:1 works'),
      ),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(0);
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(
      'It changed what the gates run: check.sh (gate "check", changed).',
    );
    expect(project.events()).toMatchObject([{ event_type: 'gate_changed', severity: 'info' }]);
  });

  it('counts as it was seen when the gate ran, also where another gate puts it back', async () => {
    const project = makeProject({
      ...FILES,
      'check.sh': 'test ! -f src/hurt.js\n',
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "first", run = "node test.js" }, { name = "check", run = "sh check.sh", required = true }, { name = "last", run = "node test.js back" }]\n`,
      'test.js': '',
      '.ralph/scenario.json': always(
        edit('src/hurt.js', 'x\n'),
        edit(
          'test.js',
          `const fs = require('fs');\nfs.writeFileSync('check.sh', process.argv[2] ? 'test ! -f src/hurt.js\\n' : 'exit 0\\n');\n`,
        ),
        claim('src/hurt.js:1 works'),
      ),
    });
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['check'] });
  });
});
