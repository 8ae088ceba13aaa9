/** @module-tag slow */

import { expect, it } from 'vitest';
import { claim, makeProject, withoutBox } from '../helpers/cli.ts';

withoutBox();

const TEST = "import { it } from 'node:test';\n\nit('adds', () => {\n  assert.equal(sum(1, 2), 3);\n});\n";
/** This gate fails as long as the test isn't skipped, and reports in TAP. */
const GATE =
  "if grep -q skip sum.test.js; then printf 'TAP version 13\\nok 1 - adds # SKIP\\n1..1\\n'; else printf 'TAP version 13\\nnot ok 1 - adds\\n1..1\\n'; exit 1; fi\n";

function project(task: string) {
  const skipped = TEST.replace('it(', 'it.skip(');
  return makeProject({
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] **T-1** ${task}\n`,
    'sum.test.js': TEST,
    'check.sh': GATE,
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]\n',
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [],
      otherwise: [{ action: 'write', path: 'sum.test.js', content: skipped }, claim('sum.test.js:3 works')],
    }),
  });
}

it("a test that failed and is skipped isn't a completion, and waits for you at a gate", () => {
  const one = project('Fix the sum');
  const { code, stdout } = one.ralph('run');
  expect(code).toBe(5);
  expect(stdout).toContain('0 tests: 0 passed, 1 skipped (before: 0 passed, 1 failed)');
  const { decisions } = one.iteration(1);
  expect(decisions.verdict).toEqual({ kind: 'awaiting_human', requests: ['GATE-AP-DESTRUCTIVE'] });
  expect(decisions.failedAttempt).toBe(false);
  expect(decisions.humanGate).toMatchObject({
    gate: 'GATE-AP-DESTRUCTIVE',
    facts: { patterns: ['test_skip'], skipsAdded: 1, tests: { skipped: 1 }, originalError: 'adds' },
  });
  const { text } = one.json('approvals', 'decide', 'G-1', 'view');
  expect(text).toContain('sum.test.js:3: ');
  expect(text).toContain("  + it.skip('adds', () => {");
  const [entry] = decisions.feedback.filter(({ kind }) => kind === 'avoidance');
  expect(entry?.text).toContain("+ it.skip('adds', () => {");
  expect(entry?.text).toContain('Let the test run');
  expect(one.events().map(({ event_type }) => event_type)).toContain('avoidance_detected');
});

/** Returns a project whose attempts write these files one after the other; the last attempt claims completion. */
function inAttempts(attempts: readonly Readonly<Record<string, string>>[], gate: string) {
  return makeProject({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Add the product of two numbers\n',
    'sum.test.js': TEST,
    'check.sh': gate,
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]\n',
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: attempts.map((files, index) => ({
        when: { attempt: index + 1 },
        do: [
          ...Object.entries(files).map(([path, content]) => ({ action: 'write', path, content })),
          ...(index === attempts.length - 1 ? [claim(`${Object.keys(files)[0]}:1 works`)] : []),
        ],
      })),
      otherwise: [],
    }),
  });
}

const SKIPPED = TEST.replace('it(', 'it.skip(');
const PRODUCT = 'export const product = (a, b) => a * b;\n';
/** This gate passes, and reports in TAP which test ran and which was skipped. */
const COUNTS =
  "printf 'TAP version 13\\n'; if grep -q skip sum.test.js; then printf 'ok 1 - adds # SKIP\\n1..1\\n'; else printf 'ok 1 - adds\\n1..1\\n'; fi\n";

it("a test that passed and is skipped isn't a completion, whatever else was written", () => {
  const one = inAttempts([{ 'product.js': PRODUCT, 'sum.test.js': SKIPPED }], COUNTS);
  one.ralph('run', '--max-iterations', '1');
  expect(one.iteration(1).decisions.verdict.kind).toBe('awaiting_human');
  expect(one.iteration(1).facts.avoidance.findings).toMatchObject([
    { category: 'test_skip', evidence: ['1 test that passed before is skipped now'] },
  ]);
});

it('what an earlier attempt at the task weakened is seen in the next one, too', () => {
  const weakened = TEST.replace('assert.equal(sum(1, 2), 3)', 'assert.ok(sum(1, 2))');
  const one = inAttempts(
    [{ 'product.js': PRODUCT, 'sum.test.js': weakened }, { 'more.js': PRODUCT }],
    'true\n',
  );
  const { code, stdout } = one.ralph('run');
  expect(code).toBe(0);
  expect(one.iteration(2).facts.avoidance.findings).toMatchObject([
    { category: 'assertion_weakening', path: 'sum.test.js' },
  ]);
  expect(stdout).toContain('      ! sum.test.js:4: ');
});

it('a single sign keeps nothing from being done, and is in the report', () => {
  const weakened = TEST.replace('assert.equal(sum(1, 2), 3)', 'assert.ok(sum(1, 2))');
  const one = inAttempts([{ 'product.js': PRODUCT, 'sum.test.js': weakened }], 'true\n');
  const { code, stdout } = one.ralph('run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/✔ T-1 .*\n.*\n? {6}! sum\.test\.js:4: /);
  expect(one.ralph('report', '--format', 'markdown').stdout).toContain('- To check, T-1: sum.test.js:4: ');
});

it('is what the task asks for where it says so', () => {
  const one = project('Skip the flaky test of adds until sum is fixed');
  expect(one.ralph('run').code).toBe(0);
  expect(one.iteration(1).facts.avoidance.findings).toEqual([]);
});
