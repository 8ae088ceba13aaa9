/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, withoutBox } from '../helpers/cli.ts';

withoutBox();

const TEST = "import { it } from 'node:test';\n\nit('adds', () => {\n  assert.equal(sum(1, 2), 3);\n});\n";
const removal: ScenarioAction = { action: 'shell', command: 'rm sum.test.js && echo gone > done.txt' };

function scenario(attempts: readonly (readonly ScenarioAction[])[]): string {
  const steps = attempts.map((actions, index) => ({ when: { attempt: index + 1 }, do: actions }));
  const otherwise = [removal, claim('done.txt:1 gone')];
  return JSON.stringify({ output: 'claude-stream', steps, otherwise });
}

function project(...attempts: readonly (readonly ScenarioAction[])[]): Project {
  return makeProject({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Fix the sum\n',
    'sum.test.js': TEST,
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n',
    '.ralph/scenario.json': scenario(attempts),
  });
}

describe('a test that is to be deleted', () => {
  it('waits for you before it is gone, and goes once you approved that', () => {
    const one = project([removal]);
    expect(one.json('run')).toMatchObject({ exit_code: 5, ending: 'awaiting_human' });
    expect(one.exists('sum.test.js')).toBe(true);
    expect(one.iteration(1).decisions.verdict).toEqual({ kind: 'awaiting_human', requests: ['G-1'] });
    const [request] = one.json('approvals').open;
    expect(request).toMatchObject({ id: 'G-1', gate: 'GATE-AP-DESTRUCTIVE', task_id: 'T-1' });
    expect(request.action).toContain('rm sum.test.js');
    expect(one.ralph('approvals', 'decide', 'G-1', 'suggest', '--guidance', 'x').stderr).toContain('approve');
    expect(one.json('approvals', 'decide', 'G-1', 'approve')).toMatchObject({ exit_code: 0 });
    one.write('.ralph/scenario.json', scenario([]));
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.exists('sum.test.js')).toBe(false);
    expect(one.json('approvals').open).toEqual([]);
  });

  it('stays where the agent finds another way', () => {
    const fix: ScenarioAction = {
      action: 'write',
      path: 'sum.js',
      content: 'export const sum = (a, b) => a + b;\n',
    };
    const one = project([removal, fix, claim('sum.js:1 fixed')]);
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.exists('sum.test.js')).toBe(true);
    expect(one.json('approvals')).toMatchObject({ open: [] });
    expect(one.iteration(1).facts.review).toMatchObject({ harmless: 1, denied: 0 });
  });

  it('is denied for good where you reject it', () => {
    const one = project(
      [removal],
      [removal, { action: 'write', path: 'b.txt', content: 'b\n' }, claim('b.txt:1 b')],
    );
    one.json('run');
    expect(one.json('approvals', 'decide', 'G-1', 'reject', '--reason', 'fix it')).toMatchObject({
      exit_code: 0,
    });
    one.json('run');
    expect(one.exists('sum.test.js')).toBe(true);
  });
});
