/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, claim, makeProject, type Project } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';

const list = (count: number) =>
  `# Plan\n\n## Tasks\n\n${Array.from({ length: count }, (_, index) => `- [ ] **T-${index + 1}** Part ${index + 1}\n`).join('')}`;
const used = (tokens: number): ScenarioAction => ({
  action: 'usage',
  input_tokens: tokens - 10,
  output_tokens: 10,
});
/** Each attempt makes a file of its own, uses tokens and claims completion. */
const PART: ScenarioAction[] = [
  { action: 'shell', command: 'echo "part of $RALPH_TASK_ID" > "part-$RALPH_ITERATION.txt"' },
];

function withPolicy(toml: string, tasks: number, ...actions: ScenarioAction[]): Project {
  return makeProject({
    '.ralph/PRD.md': list(tasks),
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n${toml}\n`,
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [{ do: [...PART, ...actions, claim()] }],
    }),
  });
}

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

describe('a budget', () => {
  it('covers all runs, is not exceeded, and begins anew with ralph resume', () => {
    const project = withPolicy('[budget]\niterations = 2', 4);
    const step = project.ralph('--format', 'json', 'step');
    expect(step.code).toBe(0);
    expect(JSON.parse(step.stdout)).toMatchObject({ exit_code: step.code });
    expect(project.json('run')).toMatchObject({ exit_code: 7, ending: 'budget' });
    expect(project.iterations()).toEqual([1, 2]);
    expect(project.json('run')).toMatchObject({ exit_code: 7 });
    expect(project.json('run')).toMatchObject({ exit_code: 7 });
    // After the third stop only you let runs continue.
    const refused = project.ralph('run');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toMatch(/\n {2}Next: ralph resume\n$/);
    expect(project.json('status').policy_stop).toMatchObject({ kind: 'budget', times: 3 });
    expect(project.json('resume')).toMatchObject({ exit_code: 0, next: 'ralph run' });
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
  });

  it('that was raised is followed by ralph run in every form, without a new budget', () => {
    const project = withPolicy('[budget]\niterations = 2', 4);
    expect(project.ralph('run').code).toBe(7);
    const commands = (all: readonly string[]) => all.filter((one) => one.startsWith('ralph '));
    const told = () => [commands(project.json('status').commands), commands(project.json('report').next)];
    expect(told()).toEqual([['ralph resume'], ['ralph resume']]);
    const dry = project.ralph('run', '--dry-run');
    expect([dry.code, dry.stdout.trimEnd().split('\n').at(-1)]).toEqual([7, 'Next: ralph resume']);
    const stopped = project.read('.ralph/control-center.md');
    expect(stopped).toContain(
      '- `ralph resume`, then `ralph run`\n- `ralph run` alone after you raised [budget]\n',
    );
    const settings = project.read('.ralph/ralph.toml');
    project.write('.ralph/ralph.toml', settings.replace('iterations = 2', 'iterations = 9'));
    expect(told()).toEqual([['ralph run'], ['ralph run']]);
    expect(project.json('status').policy_stop).toBeNull();
    expect(project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(project.json('status').policy_stop).toBeNull();
    const handOff = project.read('.ralph/control-center.md');
    expect(handOff).toContain('4 of 4 tasks are done');
    expect(handOff).not.toContain('Stopped:');
  });

  it('has a hand-off that follows each command', () => {
    const project = withPolicy('[budget]\niterations = 1', 2);
    const asks = { action: 'status', status: 'BLOCKED', exit_signal: false, reason: 'Which one?' };
    project.write('.ralph/scenario.json', JSON.stringify({ steps: [{ do: [asks] }] }));
    project.commitAll('an agent that asks');
    const handOff = () => project.read('.ralph/control-center.md');
    expect(project.ralph('run').code).toBe(7);
    expect(handOff()).toContain('## Blocked\n\n- T-1: Part 1\n');
    expect(project.ralph('answer', 'T-1', 'the first').code).toBe(0);
    expect(handOff()).not.toContain('## Blocked');
    expect(handOff()).toContain('Stopped: The budget is spent');
    expect(project.json('resume').exit_code).toBe(0);
    expect(handOff()).not.toContain('Stopped:');
    expect(handOff()).toContain('## Next\n\n- `ralph run`\n- `ralph report`');
  });

  it('begins anew with ralph resume, though the hand-off can not be written', () => {
    const project = withPolicy('[budget]\niterations = 1', 2);
    expect(project.ralph('run').code).toBe(7);
    const handOff = project.path('.ralph/control-center.md');
    rmSync(handOff);
    mkdirSync(handOff);
    const resumed = project.ralph('resume');
    expect(resumed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The hand-off is out of date: .ralph/control-center.md cannot'),
    });
    expect(project.json('status').policy_stop).toBeNull();
  });

  it('ends the attempt in progress when it is spent, and keeps what is there', () => {
    const project = withPolicy('[budget]\ntokens = 1000', 1, used(400), used(700), { action: 'hang' });
    expect(project.json('run')).toMatchObject({ exit_code: 7 });
    const { facts, decisions } = project.iteration(1);
    expect(facts.end).toMatchObject({ kind: 'halted', why: 'budget_spent' });
    expect(decisions.verdict).toEqual({ kind: 'interrupted', signal: null });
    const handOff = project.read('.ralph/control-center.md');
    expect(handOff).toContain('Tokens: 1,100 of 1,000 tokens');
    const [, saved = ''] = /Saved as checkpoint (saved\/\d+)/.exec(handOff) ?? [];
    const ref = git(
      project.root,
      'for-each-ref',
      '--format=%(refname)',
      `refs/ralph/**/${saved}`,
      'refs/ralph',
    );
    expect(ref).toContain(saved);
  });

  it('counts what an attempt used that was killed with ralph', async () => {
    const project = withPolicy('[budget]\ntokens = 1000', 1, used(1000), { action: 'hang' });
    const { child, ended } = project.start('run');
    await project.appears('part-1.txt');
    const log = '.ralph/runs';
    await project.appears(log);
    const output = () => git(project.root, 'grep', '--no-index', '-l', 'usage', '--', log);
    await eventually(() => expect(output()).toContain('output.log'));
    child.kill('SIGKILL');
    await ended;
    expect(project.json('run')).toMatchObject({ exit_code: 7 });
    expect(project.json('status').budget.spent.tokens).toBe(1000);
    expect(project.iterations()).toHaveLength(1);
  });

  it('is refused with an agent that reports no usage', () => {
    const project = makeProject({
      '.ralph/ralph.toml': '[loop]\nagent = "mine"\n[runners.mine]\nargv = ["true"]\n[budget]\nmoney = 5\n',
    });
    const { code, stderr } = project.ralph('run');
    expect(code).toBe(2);
    expect(stderr).toContain('[budget] money = 5 (.ralph/ralph.toml:6)');
  });
});

describe('a checkpoint', () => {
  it('pushes what is committed, plainly and with hooks, and writes the hand-off', () => {
    const project = withPolicy(
      '[git]\ncommit = "on_done"\npush = "checkpoints"\n[policy.checkpoint]\nevery_tasks = 2',
      3,
    );
    const bare = mkdtempSync(join(tmpdir(), 'ralph-bare-'));
    git(bare, 'init', '--bare', '--quiet');
    git(project.root, 'remote', 'add', 'origin', bare);
    project.write(
      '.git/hooks/pre-push',
      '#!/bin/sh\necho "$1" > hook-ran.txt\ncat .ralph/control-center.md >> hook-saw.txt || true\n',
    );
    chmodSync(project.path('.git/hooks/pre-push'), 0o755);
    const branch = git(project.root, 'symbolic-ref', '--short', 'HEAD');
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
    expect(git(bare, 'log', '--format=%s', branch).split('\n')).toEqual(
      expect.arrayContaining(['Part 1 (T-1)', 'Part 2 (T-2)']),
    );
    expect(git(bare, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/${branch}`);
    expect(project.read('hook-saw.txt')).toContain('2 of 3 tasks are done');
    expect(project.read('.ralph/control-center.md')).toContain('3 of 3 tasks are done');
    expect(project.read('hook-ran.txt')).toBe('origin\n');
  });
});

describe('the Wiggum Break', () => {
  it('stops after three broken attempts, is recorded, and waits for ralph resume', () => {
    const project = makeProject({
      '.ralph/PRD.md': list(3),
      '.ralph/scenario.json': always({ action: 'exit', code: 1 }),
    });
    const { code, stdout } = project.ralph('run');
    expect(code).toBe(6);
    expect(stdout.split("Bake 'em away, toys.")).toHaveLength(2);
    const event = project.events().find(({ event_type }) => event_type === 'wiggum.break');
    expect(event?.details).toMatchObject({
      trigger: 'agent_failures',
      hard: true,
      run_state: { iterations: 3 },
    });
    expect(project.ralph('run').code).toBe(6);
    expect(project.json('resume')).toMatchObject({ policy: { stopped_by: 'break' } });
    expect(project.ralph('run').code).toBe(6);
    expect(project.iterations()).toHaveLength(6);
  });
});
