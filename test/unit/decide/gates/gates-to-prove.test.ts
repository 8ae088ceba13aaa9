import { describe, expect, it } from 'vitest';
import { gatesToProve, notReproduced } from '../../../../src/decide/index.ts';
import { attemptSummary } from '../../../helpers/facts.ts';
import { baseline, FAILED, PASSED, result, spec } from '../../gates/inputs.ts';

const SPECS = [spec('test'), spec('lint')];
const attempt = (...failedGates: string[]) => attemptSummary({ verdict: 'gates_failed', failedGates });

describe('gatesToProve', () => {
  it.each([
    ['nothing failed', [attempt()], ['src/a.js'], [], []],
    ['one failed, in any attempt', [attempt('lint'), attempt()], ['src/a.js'], [], ['lint']],
    ['what is installed changed', [attempt()], ['sub/package-lock.json'], [], ['test', 'lint']],
    ['one failed, and you changed something', [attempt('lint')], [], ['b.txt'], ['test', 'lint']],
    ['you changed something', [attempt()], [], ['b.txt'], []],
    ['a gate that is gone failed', [attempt('old')], [], [], []],
  ] as const)('%s', (_, attempts, work, yours, expected) => {
    expect(gatesToProve(SPECS, { attempts, work, yours }).map(({ name }) => name)).toEqual(expected);
  });
});

describe('notReproduced', () => {
  it.each([
    ['passed and passes', PASSED, PASSED, []],
    ['passed and fails', PASSED, FAILED, ['test']],
    ['failed already', FAILED, FAILED, []],
    ['not known before', null, FAILED, []],
  ] as const)('%s', (_, before, now, expected) => {
    const reference = before === null ? null : baseline({ test: before });
    expect(notReproduced([result('test', now)], reference)).toEqual(expected);
  });
});
