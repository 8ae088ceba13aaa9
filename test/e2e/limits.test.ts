/** @module-tag rest */

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { makeProject, type Project, processesIn, scenarioOf } from '../helpers/cli.ts';

const WORK: ScenarioAction = { action: 'write', path: 'src/parser.ts', content: 'export {};\n' };
const HANG: ScenarioAction = { action: 'hang' };

/** Returns an action that writes its process id to a file, then keeps this many MiB in use until it is killed. */
const hoard = (mib: number): ScenarioAction => ({
  action: 'run',
  argv: [
    process.execPath,
    '-e',
    `require('fs').writeFileSync('hoarder.pid', String(process.pid)); const kept = Buffer.alloc(${mib} << 20, 1); setInterval(() => kept.fill(2), 100)`,
  ],
});

function limited(limits: string, ...actions: ScenarioAction[]): Project {
  return makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_iterations = 1\n\n[limits]\n${limits}\n`,
    '.ralph/scenario.json': scenarioOf([{ do: actions }]),
  });
}

describe('a limit that is crossed ends the attempt', () => {
  it('memory of the whole process tree', () => {
    const project = limited('max_memory_mb = 200', WORK, hoard(400));
    project.json('run');
    const { facts, decisions } = project.iteration(1);
    expect(facts.end).toMatchObject({
      kind: 'halted',
      why: 'limit_crossed',
      crossed: { limit: 'memory', allowed: 200 },
    });
    expect(facts.resources?.memoryMb).toBeGreaterThan(200);
    expect(decisions.verdict).toMatchObject({ kind: 'review_blocked', why: 'limit_crossed' });
    expect(decisions.findings.map(({ type, severity }) => [type, severity])).toContainEqual([
      'resource_spiral',
      'high',
    ]);
    expect(existsSync(project.inCopy('hoarder.pid'))).toBe(true);
    expect(processesIn(project)).toEqual([]);
  });

  it('tokens, as the agent reports them', () => {
    const usage: ScenarioAction = { action: 'usage', input_tokens: 900, output_tokens: 50 };
    const project = limited('max_tokens = 1000', WORK, usage, usage, HANG);
    project.json('run');
    expect(project.iteration(1).facts.end).toMatchObject({
      kind: 'halted',
      crossed: { limit: 'tokens', allowed: 1000, seen: 1900 },
    });
  });

  it('time, where it is shorter than the timeout', () => {
    const project = limited('max_execution_time = 1', WORK, HANG);
    project.json('run');
    expect(project.iteration(1).facts.end).toMatchObject({ kind: 'timed_out', which: 'wall' });
    expect(project.promptOf(1)).toContain('it is ended after 1.0 s');
  });

  it('file operations, counted before they happen where there is a gate', () => {
    const touch = (name: string): ScenarioAction => ({ action: 'shell', command: `touch ${name}` });
    const project = limited('max_file_operations = 2', touch('a'), touch('b'), touch('c'), HANG);
    project.json('run');
    expect(project.iteration(1).facts.end).toMatchObject({
      kind: 'halted',
      crossed: { limit: 'file_operations', allowed: 2, seen: 3 },
    });
    expect(['a', 'b', 'c'].map((name) => existsSync(project.inCopy(name)))).toEqual([true, true, false]);
  });

  it('leaves an agent alone that stays within them', () => {
    const project = limited(
      'max_memory_mb = 2000\nmax_tokens = 5000\nmax_file_operations = 10',
      WORK,
      { action: 'usage', input_tokens: 900, output_tokens: 50 },
      { action: 'status', status: 'DONE', exit_signal: true, evidence: ['src/parser.ts:1 the parser'] },
    );
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
    const { facts } = project.iteration(1);
    expect(facts.resources).toMatchObject({ tokens: 950 });
  });
});
