import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import { checksIn, flakyIn, gatesIn, inOrderOf } from '../../../src/domain/command-runs.ts';
import { commandRun } from '../../helpers/facts.ts';

const RED: CommandRun['outcome'] = { kind: 'failed', exitCode: 1, signal: null };
const green = (why: CommandRun['why'], more: Partial<CommandRun> = {}) => commandRun({ why, ...more });
const red = (why: CommandRun['why'], more: Partial<CommandRun> = {}) =>
  commandRun({ why, outcome: RED, ...more });

describe('how a gate ended, and whether it is flaky', () => {
  it.each<[string, CommandRun[], string[], string[]]>([
    ['nothing ran', [], [], []],
    ['it passed', [green('deciding')], ['passed'], []],
    ['it failed each time', [red('deciding'), red('again'), red('again')], ['failed'], []],
    ['it passed once more', [red('deciding'), green('again')], ['passed'], ['test']],
    ['it passed at the third time', [red('deciding'), red('again'), green('again')], ['passed'], ['test']],
    [
      'in a recovery, one pass decides nothing',
      [red('deciding'), green('in-recovery')],
      ['failed'],
      ['test'],
    ],
    ['it passes alone', [red('deciding'), red('again'), green('alone', { tree: 'u' })], ['passed'], []],
    [
      'it passes alone, and with both after all',
      [red('deciding'), green('alone', { tree: 'u' }), green('joined')],
      ['passed'],
      ['test'],
    ],
    ['it is red without the work', [red('deciding'), red('since-when', { tree: 'b' })], ['failed'], []],
    ['what is laid over decides nothing', [green('deciding'), red('canary')], ['passed'], []],
    [
      'the copy of the agent shows nothing',
      [red('deciding'), green('copy', { place: 'agents-copy' })],
      ['failed'],
      [],
    ],
  ])('%s', (_, commandRuns, ended, flaky) => {
    expect(gatesIn({ commandRuns }).map(({ outcome }) => outcome.kind)).toEqual(ended);
    expect(flakyIn({ commandRuns })).toEqual(flaky);
  });
});

it('a check is seen on what the work began with and on its result', () => {
  const commandRuns = [red('check-before', { name: 'c' }), green('check', { name: 'c' })];
  expect(checksIn({ commandRuns })).toMatchObject([
    { command: 'c', before: { kind: 'failed' }, after: { outcome: { kind: 'passed' } } },
  ]);
});

it('a record has the gates in their order, and nothing of what agents may not read', () => {
  const runs = ['build', 'test', 'lint'].map((name) => green('deciding', { name }));
  const kept = inOrderOf([{ name: 'lint' }, { name: 'test' }], [green('prover'), ...runs, green('mutant')]);
  expect(kept.map(({ name }) => name)).toEqual(['lint', 'test', 'build']);
});
