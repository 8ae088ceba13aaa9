/** @module-tag slow */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { attempts, claim, makeProject, type Project, shellAgent } from '../helpers/cli.ts';

const STREAM = '[loop]\nagent = "scripted"\nmax_attempts_per_task = 2\n';
const GATE = '[[gates.commands]]\nname = "check"\nrun = "echo looked; test ! -e broken"\n';

const stream = (...steps: object[][]) =>
  JSON.stringify({ ...JSON.parse(attempts(...(steps as ScenarioAction[][]))), output: 'claude-stream' });
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** Returns a project with two attempts: the first talks, calls tools and breaks the gate, the second fixes it. */
function worked(more = ''): Project {
  const project = makeProject({
    '.ralph/ralph.toml': `${STREAM}${GATE}${more}`,
    '.ralph/scenario.json': stream(
      [
        { action: 'print', text: 'I look around first.' },
        { action: 'shell', command: 'sleep 0.2; echo seen' },
        { action: 'shell', command: 'echo wrong; exit 3' },
        { action: 'write', path: 'broken', content: 'x\n' },
        { action: 'write', path: 'a.ts', content: 'export const a = 1;\n' },
        claim('a.ts:1 it'),
      ],
      [
        { action: 'delete', path: 'broken' },
        { action: 'write', path: 'a.ts', content: 'export const a = 2;\n' },
        claim('a.ts:1 it'),
      ],
    ),
  });
  expect(project.ralph('run').code).toBe(0);
  return project;
}

describe('ralph logs', () => {
  it('shows words, calls with outcome and duration, findings, gates and changes', () => {
    const project = worked();
    const { stdout } = project.ralph('logs', '1');
    expect(stdout).toMatch(/^#1 T-1 Write the parser\n {2}gates failed, scripted, attempt 1, /);
    expect(stdout).toContain('scripted │ I look around first.\n');
    expect(stdout).toMatch(/scripted │ > Bash sleep 0\.2; echo seen \(ok, \d/);
    expect(stdout).toMatch(
      /scripted │ > Bash echo wrong; exit 3 \((?:exit 3|failed), .*\)\nscripted │ {5}wrong\n/,
    );
    expect(flat(stdout)).toContain(
      'gate regression: A gate that passed before the attempt failed after it: "check".',
    );
    expect(flat(stdout)).toMatch(/✖ check failed \(.*?\) check │ looked/);
    expect(flat(stdout)).toContain('new +1 -0 a.ts');
    expect(stdout).not.toContain('"type"');
    expect(project.ralph('logs', '1', '--raw').stdout).toContain('{"type":"system"');
    expect(project.ralph('logs', '1', '--prompt').stdout).toContain('Write the parser');
    const both = project.ralph('logs', 'T-1').stdout;
    expect(both.match(/^#\d/gm)).toEqual(['#1', '#2']);
    expect(project.ralph('logs', 'T-9').stderr).toContain('No attempt at T-9 is on record.');
  });

  it('of an attempt without a record, with a torn last line', () => {
    const project = worked('[runners.scripted]\noutput = "claude-stream"\n');
    project.replaysDifferently('a record is removed and a log is cut', 'iteration.json');
    const [run] = [project.json('report').run];
    const folder = `.ralph/runs/${run}/iterations/0001`;
    project.remove(`${folder}/iteration.json`);
    appendFileSync(project.path(`${folder}/output.log`), '{"type":"assistant","mess');
    const { code, stdout } = project.ralph('logs', '1');
    expect(code).toBe(0);
    expect(stdout).toContain('I look around first.');
    expect(stdout).toContain('Its last line is cut off.');
    expect(stdout).toMatch(/^#1 T-1\n {2}gates failed, scripted, .*\n {2}Gate "check" failed/);
  });

  it('of an attempt whose record has members of another form: without these', () => {
    const project = worked('[runners.scripted]\noutput = "claude-stream"\n');
    project.replaysDifferently('a record is changed', 'iteration.json');
    const path = project.path(`.ralph/runs/${project.json('report').run}/iterations/0001/iteration.json`);
    const record = JSON.parse(readFileSync(path, 'utf8'));
    Object.assign(record.facts, { workflow: 1, commandRuns: {} });
    Object.assign(record.decisions, { cause: ['x'], workflow: { spend: null }, findings: [null] });
    writeFileSync(path, JSON.stringify(record));
    const { code, stdout, stderr } = project.ralph('logs', '1');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('I look around first.');
    expect(stdout).toMatch(
      /^#1 T-1 Write the parser\n {2}gates failed, scripted, .*\n {2}Gate "check" failed/,
    );
  });

  it('of an attempt whose run was killed', async () => {
    const project = makeProject({
      '.ralph/ralph.toml': STREAM,
      '.ralph/scenario.json': stream([
        { action: 'print', text: 'begun' },
        { action: 'write', path: 'half.ts', content: 'x\n' },
        { action: 'hang' },
      ]),
    });
    const { child, ended } = project.start('run');
    await project.appears('half.ts');
    const following = project.start('logs', '--follow');
    child.kill('SIGKILL');
    await ended;
    const followed = await following.ended;
    expect(followed.stdout).toContain('scripted │ begun');
    const { stdout } = project.ralph('logs');
    expect(stdout).toMatch(/^#1 T-1\n {2}cut off, scripted, /);
    expect(stdout).toContain('scripted │ begun');
    expect(project.ralph('diff').stdout).toContain('+++ b/half.ts');
  });

  it('follows the attempts of a run until its end', async () => {
    const project = makeProject({
      '.ralph/ralph.toml': STREAM,
      '.ralph/scenario.json': stream(
        [
          { action: 'print', text: 'one' },
          { action: 'write', path: 'begun', content: '' },
          { action: 'shell', command: 'until [ -e .ralph/go ]; do sleep 0.05; done' },
        ],
        [
          { action: 'print', text: 'two' },
          { action: 'write', path: 'a.ts', content: 'a\n' },
          claim('a.ts:1 it'),
        ],
      ),
    });
    const run = project.start('run');
    await project.appears('begun');
    const follower = project.start('logs', '-f');
    follower.child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('one')) project.write('.ralph/go', '');
    });
    const { stdout, code } = await follower.ended;
    expect([code, (await run.ended).code]).toEqual([0, 0]);
    expect(stdout.match(/^scripted │ (?:one|two)$/gm)).toEqual(['scripted │ one', 'scripted │ two']);
  });

  it('of an agent that prints plain text, in which nothing can pass for a line of ralph', () => {
    const project = makeProject({
      '.ralph/ralph.toml': shellAgent('max_attempts_per_task = 1'),
      'agent.sh': 'echo "#9 T-1 done"; echo "  with blanks"; exit 1\n',
    });
    project.ralph('run');
    expect(project.ralph('logs').stdout).toContain('\nmine │ #9 T-1 done\nmine │   with blanks\n');
  });
});

describe('ralph diff', () => {
  it('of an iteration, of a task, in each form', () => {
    const project = worked('[git]\ncommit = "on_done"\n');
    expect(project.ralph('diff', '1').stdout).toContain('+export const a = 1;');
    expect(project.ralph('diff', '2').stdout).toMatch(/-export const a = 1;\n\+export const a = 2;/);
    const task = project.ralph('diff', 'T-1');
    expect(task.stdout).toMatch(/^diff --git a\/a\.ts b\/a\.ts\nnew file/);
    expect(task.stdout).toContain('+export const a = 2;');
    expect(task.stdout).not.toContain('broken');
    expect(project.ralph('diff', 'T-1', '--name-only').stdout).toBe('a.ts\n');
    expect(project.ralph('diff', '1', '--name-only').stdout).toBe('a.ts\nbroken\n');
    expect(project.ralph('diff', 'T-1', '--stat').stdout).toBe('+1  -0  a.ts\n1 file changed, +1 -0\n');
    expect(project.json('diff', '#2')).toMatchObject({
      iterations: [2],
      files: [{ path: 'a.ts' }, { path: 'broken' }],
    });
    expect(project.ralph('diff', '9').stderr).toContain('There is no iteration 9. Known: 1 to 2.');
  });

  it('of work that is set aside, by the task', () => {
    const project = makeProject({
      '.ralph/ralph.toml': `${STREAM}${GATE}`,
      '.ralph/scenario.json': stream(
        [{ action: 'write', path: 'broken', content: 'x\n' }, claim('broken:1 it')],
        [claim('broken:1 it')],
      ),
    });
    project.ralph('run');
    expect(project.exists('broken')).toBe(false);
    const task = project.ralph('diff', 'T-1');
    expect(task.stdout).toContain('+++ b/broken');
    expect(task.stderr).toContain('Its work is kept: ralph take T-1');
    expect(project.ralph('diff', 'kept/1').stderr).toContain("kept/1 is T-1's work.");
    expect(project.ralph('diff', '2').stdout).toBe('#2 changed no file.\n');
  });

  it('leaves out what you changed meanwhile', () => {
    const project = makeProject({
      '.ralph/scenario.json': attempts(
        [{ action: 'write', path: 'a.ts', content: 'a1\n' }],
        [{ action: 'write', path: 'a.ts', content: 'a2\n' }, claim('a.ts:1 it')],
      ),
    });
    project.ralph('step');
    project.write('mine.ts', 'mine\n');
    project.ralph('step');
    expect(project.ralph('diff', 'T-1', '--name-only').stdout).toBe('a.ts\n');
  });
});
