import { expect, it } from 'vitest';
import { claim, makeProject, withoutBox } from '../helpers/cli.ts';

withoutBox();

const TEST = "import { it } from 'node:test';\n\nit('adds', () => {\n  assert.equal(sum(1, 2), 3);\n});\n";
/** Fails as long as the test isn't skipped, and says so in TAP. */
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

it('a test that failed and is skipped is no completion, and waits for you at a gate', () => {
  const one = project('Fix the sum');
  const { code, stdout } = one.ralph('run');
  expect(code).toBe(5);
  expect(stdout).toContain('0 tests: 0 passed, 1 skipped (before: 0 passed, 1 failed)');
  const { decisions } = one.iteration(1);
  expect(decisions.verdict).toMatchObject({ kind: 'false_completion' });
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

it('is what the task asks for where it says so', () => {
  const one = project('Skip the flaky test of adds until sum is fixed');
  expect(one.ralph('run').code).toBe(0);
  expect(one.iteration(1).facts.avoidance.findings).toEqual([]);
});
