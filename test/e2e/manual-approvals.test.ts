/** @module-tag slow */

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, scenarioOf, withoutBox } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { approves, inRole } from '../helpers/reviewing-roles.ts';

withoutBox();

const KEY = `AKIA${'Q7ZP4M2X9KD3V8TB'}`;
const shell = (command: string): ScenarioAction => ({ action: 'shell', command });

/**
 * Returns a project with a task whose actions wait for you: its first attempt leaked a credential, the next ones do
 * these.
 */
function manual(actions: readonly ScenarioAction[], settings = ''): Project {
  const leak: ScenarioAction = { action: 'write', path: 'config.txt', content: `${KEY}\n` };
  const project = makeProject({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n',
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_iterations = 3\n${settings}`,
    '.ralph/scenario.json': scenarioOf([{ do: [leak] }]),
  });
  expect(project.json('run')).toMatchObject({ exit_code: 8 });
  project.write('.ralph/scenario.json', scenarioOf([{ do: actions }]));
  expect(project.json('resume', 'INC-1', '--option', 'manual_intervention')).toMatchObject({
    exit_code: 0,
    next: 'ralph run',
  });
  return project;
}

/** Resolves once this request is open. */
const opened = (project: Project, id: string) =>
  eventually(() => {
    const [first] = project.json('approvals').open;
    expect(first).toMatchObject({ id, gate: 'MANUAL', task_id: 'T-1' });
    return first;
  });

describe('a task whose actions wait for you', () => {
  it('does what you approve and not what you reject; reading passes', async () => {
    const project = manual([
      { action: 'tool', name: 'Read', input: { file_path: 'README.md' } },
      shell(`rm config.txt; echo ${KEY} | wc -c > one.txt`),
      shell('echo two > two.txt'),
      claim('one.txt:1 it'),
    ]);
    const run = project.start('run');
    const first = await opened(project, 'G-1');
    expect(first.action).toContain('rm config.txt');
    expect(existsSync(project.inCopy('config.txt'))).toBe(true);
    const shown = project.ralph('approvals', 'show', 'G-1');
    expect(shown.stdout).toContain('Manual Intervention Gate');
    expect(`${JSON.stringify(first)}${shown.stdout}`).not.toContain(KEY);
    expect(project.ralph('approvals', 'decide', 'G-1', 'view').stdout).toContain('wc -c > one.txt');
    expect(project.json('approvals', 'decide', 'G-1', 'approve')).toMatchObject({ running: true });
    await opened(project, 'G-2');
    project.json('approvals', 'decide', 'G-2', 'reject', '--reason', 'not that file');
    const { code, stdout } = await run.ended;
    expect(stdout).toContain('G-1');
    expect(code).toBe(0);
    expect([project.exists('config.txt'), project.exists('one.txt'), project.exists('two.txt')]).toEqual([
      ...[false, true, false],
    ]);
    const last = project.iterations().at(-1) ?? 0;
    expect(project.iteration(last).facts.review).toMatchObject({
      allowed: 1,
      harmless: 1,
      denied: 0,
      waiting: [],
    });
    expect(project.json('approvals', 'verify')).toMatchObject({ exit_code: 0, lines: 2 });
    expect(project.json('approvals')).toMatchObject({
      open: [],
      decided: [
        { id: 'G-1', option: 'approve' },
        { id: 'G-2', option: 'reject', reason: 'not that file' },
      ],
    });
  });

  it('stays open at Ctrl-C; what you approve meanwhile happens once', async () => {
    const project = manual([
      shell('echo x >> config.txt; echo one >> one.txt'),
      shell('echo x >> config.txt; echo one >> one.txt'),
    ]);
    const run = project.start('run');
    await opened(project, 'G-1');
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130 });
    expect(existsSync(project.inCopy('one.txt'))).toBe(false);
    expect(project.json('approvals').open).toMatchObject([{ id: 'G-1' }]);
    expect(project.json('approvals', 'decide', 'G-1', 'approve')).toMatchObject({ running: false });
    const again = project.start('run');
    await opened(project, 'G-2');
    expect(project.readCopy('one.txt')).toBe('one\n');
    // A request that is open when the run ends still waits for your decision.
    again.child.kill('SIGINT');
    await again.ended;
    expect(project.ralph('unblock', 'T-1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ralph approvals decide G-2'),
    });
    expect(project.json('approvals').open).toMatchObject([{ id: 'G-2' }]);
    expect(project.json('approvals', 'decide', 'G-2', 'reject')).toMatchObject({ exit_code: 0 });
    expect(project.json('unblock', 'T-1')).toMatchObject({ exit_code: 0 });
    expect(project.json('approvals').open).toEqual([]);
  });

  it('waits when its hook can wait no longer, and continues after the decision', async () => {
    const project = manual([shell('rm config.txt; echo one > one.txt'), claim()]);
    project.write(
      '.ralph/scenario.json',
      JSON.stringify({
        output: 'claude-stream',
        steps: [
          { when: { attempt: 1 }, do: [shell('rm config.txt; echo one > one.txt')] },
          { do: [shell('rm config.txt; echo one > one.txt'), claim('one.txt:1 one')] },
        ],
      }),
    );
    const waiting = await project.jsonLater('run');
    expect(waiting).toMatchObject({ exit_code: 5, ending: 'awaiting_human' });
    const last = project.iterations().at(-1) ?? 0;
    expect(project.iteration(last).decisions.verdict).toEqual({ kind: 'awaiting_human', requests: ['G-1'] });
    expect(project.exists('one.txt')).toBe(false);
    expect(project.json('approvals', 'decide', 'G-1', 'approve')).toMatchObject({ exit_code: 0 });
    expect(project.json('run').ending).not.toBe('awaiting_human');
    expect(project.readCopy('one.txt')).toBe('one\n');
  });

  it("a reviewer's actions in its copy don't wait", async () => {
    const project = manual([], '[workflow]\nkind = "standard"\n');
    const looks = shell('git status --short > seen.txt');
    const steps = [
      inRole('maker', [shell('rm config.txt; echo one > one.txt'), claim('one.txt:1 one')]),
      inRole('guardian', [looks, approves]),
      inRole('sage', [looks, approves]),
    ];
    project.write('.ralph/scenario.json', scenarioOf(steps));
    const run = project.start('run');
    expect((await opened(project, 'G-1')).action).toContain('rm config.txt');
    project.json('approvals', 'decide', 'G-1', 'approve');
    expect((await run.ended).code).toBe(0);
    expect(project.json('approvals')).toMatchObject({ open: [], decided: [{ id: 'G-1' }] });
    const last = project.iterations().at(-1) ?? 0;
    const copies = project.iteration(last).facts.workflow?.runs.map(({ wroteInCopy }) => wroteInCopy);
    expect(copies).not.toHaveLength(0);
    expect(copies?.flat()).toEqual(copies?.map(() => 'seen.txt'));
  });

  it('nothing passes by the timeout', async () => {
    const project = manual([shell('echo one > one.txt')], '[human.gates.MANUAL]\ntimeout = 1\n');
    await project.jsonLater('run', '--max-iterations', '1');
    expect(project.exists('one.txt')).toBe(false);
    expect(project.json('approvals')).toMatchObject({
      open: [],
      decided: [{ id: 'G-1', option: 'timeout' }],
    });
    expect(project.json('approvals', 'verify')).toMatchObject({ exit_code: 0 });
  });
});
