import { expect, it } from 'vitest';
import { attemptText, failedText } from '../../../src/cli/render/transcript.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';
import { wholeReport } from '../../helpers/page/whole-report.ts';

const [attempt] = wholeReport({ iterations: 1 }).attempts;

it.each([
  ['passed', 'passed', '✔ npm test passed (1.0 s)', false],
  ['passed', 'tests_missing', '✖ npm test (passes, but no test ran)', true],
  ['failed', 'failed_before', '✖ npm test failed (1.0 s)', true],
] as const)('says of a gate that %s as %s what it counts as', (outcome, standing, words, isFailed) => {
  if (attempt === undefined) throw new Error('no attempt');
  const why = standing === 'tests_missing' ? 'no test ran' : null;
  const gate = { name: 'npm test', outcome, standing, why, duration_ms: 1000, results: null, output: 'said' };
  const terminal = terminalWith({ live: false, color: false, width: 80 });
  const one = { ...attempt, gates: [gate] };
  expect(attemptText({ ...one, show: 'transcript' }, terminal)).toContain(words);
  expect(failedText({ ...one, show: 'failed' }, terminal).includes('npm test')).toBe(isFailed);
});
