import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import { checkName, type ProverFacts } from '../../../src/domain/prover.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { checksOf, endedOn, toRuleOn } from '../../../src/proof/shown/index.ts';
import { commandRun } from '../../helpers/facts.ts';

const RED = { kind: 'failed', exitCode: 1, signal: null } as const;
const run = (why: 'prover' | 'prover-before', outcome: CommandRun['outcome'], at = 0) =>
  commandRun({ name: checkName(at), why, outcome, outputTail: 'clamp is wrong' });
const BEFORE = [run('prover-before', RED), run('prover-before', RED)];
const check = { criterion: 1, command: 'node --test', files: [] };
const wrote = {
  tried: [check, check].map((one) => ({ check: one, touched: [], problem: null })),
  document: 'runs/r/1/iteration.json',
} as unknown as ProverFacts['wrote'];

function facts(...commandRuns: readonly CommandRun[]) {
  return {
    ...{ run: 'r', iteration: 1, task: { ...EMPTY_TASK, acceptance: ['it clamps'] } },
    ...{ taskState: EMPTY_TASK_STATE, prover: { wrote, ruled: null }, commandRuns: [...commandRuns] },
  };
}

describe('checks of a prover', () => {
  it('are kept that fail twice alike before the work, each by its own runs', () =>
    expect(checksOf(facts(...BEFORE, run('prover-before', { kind: 'passed' }, 1)))?.checks).toMatchObject([
      { at: 0, criterion: 1, failed: 0 },
    ]));

  it.each<[string, CommandRun[], string | undefined]>([
    ['was not run', [], undefined],
    ['passed', [run('prover', { kind: 'passed' })], 'passed'],
    ['failed twice', [run('prover', RED), run('prover', RED)], 'failed'],
    ['failed alone, and passed then', [run('prover', RED), run('prover', { kind: 'passed' })], 'passed'],
    ['is another one', [run('prover', RED, 1)], undefined],
  ])('one that %s', (_, runs, ended) => expect(endedOn(facts(...BEFORE, ...runs), 0)).toBe(ended));

  it('is asked of one by which work failed twice', () => {
    const known = { at: 0, criterion: 1, failed: 1, ruling: null };
    const prover = { document: 'd', checks: [known] };
    const later = (runs: CommandRun[]) =>
      toRuleOn({ ...facts(...runs), taskState: { ...EMPTY_TASK_STATE, prover }, prover: null });
    expect(later([run('prover', RED), run('prover', RED)])).toEqual([0]);
    expect(later([run('prover', RED), run('prover', { kind: 'passed' })])).toEqual([]);
  });
});
