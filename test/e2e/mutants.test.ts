/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { triedMutants } from '../../src/proof/shown/index.ts';
import { always, claim, makeProject } from '../helpers/cli.ts';

const CODE = `export function clamp(x, low, high) {
  if (x > high) return high;
  if (x < low) return low;
  return x;
}
`;
const HEAD =
  "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { clamp } from '../src/clamp.js';\n";
const BOUNDS =
  "test('clamp bounds what is above', () => assert.equal(clamp(10, 0, 5), 5));\ntest('clamp keeps what is inside', () => assert.equal(clamp(0, 0, 5), 0));\n";

/** Runs one task to its end, whose tests don't cover the code that the mutants change. */
function runIn(mode: string, config = '', code = CODE) {
  const made = makeProject({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write clamp\n',
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmode = "${mode}"\nmax_attempts_per_task = 1\n[[gates.commands]]\nname = "test"\nrun = "node --test"\n${config}`,
    '.ralph/scenario.json': always({ action: 'write', path: 'src/clamp.js', content: code }, claim()),
    'package.json': '{ "type": "module" }\n',
    'src/clamp.js': 'export const clamp = (x, low, high) => x;\n',
    'test/clamp.test.js': HEAD + BOUNDS,
  });
  const { code: exit, stdout, stderr } = made.ralph('run', '--max-iterations', '1');
  const text = (stdout + stderr).replace(/\s+/g, ' ');
  const { facts, decisions } = made.iteration(1);
  return { ...made, exit, text, facts, verdict: decisions.verdict.kind };
}

describe('small mistakes in the changed lines', () => {
  it('are named in the report where no gate notices them, and change no verdict', () => {
    const { exit, text, facts, verdict, json } = runIn('quality', '[proof]\nmutants = 3\n');
    expect(exit, text).toBe(0);
    expect(verdict).toBe('done');
    expect(triedMutants(facts).map(({ line, after, killed }) => [line, after, killed])).toEqual([
      [1, 'export function clamp(x, low, high) { return;', true],
      [3, 'if (x >= low) return low;', false],
      [2, 'if (x <= high) return high;', true],
    ]);
    expect(facts.mutants).toEqual({ asked: 3, leftOut: 0 });
    expect(text).toContain('mutants: 2 of 3 killed');
    expect(text).toContain('src/clamp.js:3 could be `if (x >= low) return low;`: no test notices');
    expect(json('report')).toMatchObject({
      done_in_run: [{ mutants: { tried: 3, killed: 2, left_out: 0 } }],
    });
  });

  it('are noticed where the gate never ends', () => {
    const loop = 'export const clamp = (x, low, high) => {\n  while (x > high) x -= 1;\n  return x;\n};\n';
    const { facts } = runIn('quality', '[proof]\nmutants = 2\n', loop);
    expect(triedMutants(facts)).toMatchObject([
      { line: 1, kind: 'return', killed: true },
      { line: 2, after: 'while (x > high) x += 1;', killed: true },
    ]);
  });

  it('are left out where there is no time for them, which is said', () => {
    const { text, facts, verdict } = runIn('quality', '[proof]\nmutants = 4\nmax_time = 0\n');
    expect(verdict, text).toBe('done');
    expect(facts.mutants).toEqual({ asked: 0, leftOut: 3 });
    expect(text).toContain('mutants: none tried, no time for 3');
  });

  it.each([
    ['in mode "speed"', 'speed', ''],
    ['where none are wanted', 'quality', '[proof]\nmutants = 0\n'],
    ['where proof is off', 'quality', '[proof]\nmode = "off"\n'],
  ])('are not made %s', (_what, mode, config) => {
    const { text, facts, json } = runIn(mode, config);
    expect(facts.mutants).toBeNull();
    expect(text).not.toContain('mutants');
    expect(json('report')).toMatchObject({ done_in_run: [{ mutants: null }] });
  });
});
