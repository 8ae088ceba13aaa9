/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, withoutBox } from '../helpers/cli.ts';

withoutBox();

const KEY = `AKIA${'Q7ZP4M2X9KD3V8TB'}`;
const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n';

/** Returns a project with three tasks: the first goes wrong by these actions, the others get done. */
function projectWith(first: ScenarioAction[], settings = '', loop = ''): Project {
  return makeProject({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': [
      '[loop]\nagent = "scripted"\nno_progress_limit = 20',
      loop,
      '[interventions]\ncooldown_seconds = 0',
      settings,
    ].join('\n'),
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [{ when: { task: 'T-1' }, do: first }],
      otherwise: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')],
    }),
  });
}

/** A claim without work leads to soft correction, reinforcement, and emergency stop. */
const IDLE = [claim()];

const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('an incident of one task', () => {
  it('makes that task wait, and the run continues; so does the next one', () => {
    const project = projectWith(IDLE, '', 'max_attempts_per_task = 9');
    const run = project.json('run');
    expect(run).toMatchObject({ exit_code: 5, ending: 'awaiting_human', next: ['ralph resume INC-1'] });
    expect(ids(run.done_in_run)).toEqual(['T-2', 'T-3']);
    expect(run.unfinished).toMatchObject([
      { id: 'T-1', status: 'parked', why: expect.stringContaining('INC-1'), next: 'ralph resume INC-1' },
    ]);
    const { stdout } = project.ralph('status');
    expect(stdout).toContain('ralph resume INC-1');
    expect(stdout).not.toContain('Runs are paused');

    project.write('.ralph/PRD.md', `${project.read('.ralph/PRD.md')}- [ ] **T-4** Four\n`);
    const again = project.json('run');
    expect(again).toMatchObject({ exit_code: 5, next: ['ralph resume INC-1'] });
    expect(ids(again.done_in_run)).toEqual(['T-4']);
    expect(project.json('doctor').findings).toContainEqual(
      expect.objectContaining({ id: 'state.incident', status: 'warning' }),
    );
  });

  it('stop = "run": the run ends, and no other starts', () => {
    const project = projectWith(IDLE, 'stop = "run"', 'max_attempts_per_task = 9');
    expect(project.json('run')).toMatchObject({ exit_code: 8, ending: 'emergency_stop', done_in_run: [] });
    expect(project.json('run')).toMatchObject({ exit_code: 8 });
  });

  it('an issue that is not critical, on a task that is blocked: no incident', () => {
    const project = projectWith(IDLE, '', 'max_attempts_per_task = 3');
    const run = project.json('run');
    expect(run).toMatchObject({ exit_code: 4, ending: 'all_blocked', tasks: { done: 2, blocked: 1 } });
    expect(project.json('incidents').incidents).toEqual([]);
  });

  it('what is critical and seen stops the run', () => {
    const project = projectWith([
      { action: 'write', path: 'key.ts', content: `export const key = "${KEY}";\n` },
      claim('key.ts:1 key'),
    ]);
    expect(project.json('run')).toMatchObject({ exit_code: 8, ending: 'emergency_stop', done_in_run: [] });
  });
});

describe('ralph resume leaves what the next run accepts', () => {
  const fixed = (project: Project) =>
    project.write(
      '.ralph/scenario.json',
      JSON.stringify({
        output: 'claude-stream',
        steps: [
          { do: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')] },
        ],
      }),
    );
  const parked = () => {
    const project = projectWith(IDLE, '', 'max_attempts_per_task = 9');
    project.ralph('run');
    fixed(project);
    return project;
  };

  it.each([
    ['resume_with_limits', 0],
    ['abort', 4],
  ])('%s: exit %i', (option, code) => {
    const project = parked();
    expect(project.json('resume', '--option', option)).toMatchObject({ exit_code: 0, still_open: [] });
    expect(project.json('run')).toMatchObject({ exit_code: code });
  });

  it('resume_with_limits: the prompt says what is allowed', () => {
    const project = parked();
    project.ralph('resume', '--option', 'resume_with_limits');
    project.ralph('run');
    const prompt = project.promptOf(project.iterations().at(-1) ?? 0);
    expect(prompt).toContain('INC-1');
    expect(prompt).toContain('File operations: at most 250.');
    expect(prompt).toContain('commands that only read or are gates');
  });

  it('rollback_and_retry: not where it would take away what was done since', () => {
    const project = parked();
    const { options } = project.json('resume');
    expect(options.find(({ option }: { option: string }) => option === 'rollback_and_retry')).toMatchObject({
      possible: false,
      description: expect.stringContaining('T-2, T-3'),
    });
    expect(project.json('resume', '--option', 'rollback_and_retry').exit_code).toBe(2);
    expect(project.exists('T-2.txt')).toBe(true);
  });

  it('resume_with_limits: not with an agent that cannot be stopped', () => {
    const project = parked();
    project.write('.ralph/ralph.toml', `${project.read('.ralph/ralph.toml')}\n[review]\nenabled = false\n`);
    const { options } = project.json('resume');
    expect(options[0]).toMatchObject({ option: 'resume_with_limits', possible: false });
    expect(project.json('resume', '--option', 'resume_with_limits').exit_code).toBe(2);
  });

  it('ralph unblock settles it, too', () => {
    const project = parked();
    expect(project.json('unblock', 'T-1').exit_code).toBe(0);
    expect(project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(project.json('incidents')).toMatchObject({
      open: [],
      incidents: [
        { resolved: { option: 'manual_intervention', reason: expect.stringContaining('unblock') } },
      ],
    });
  });
});
