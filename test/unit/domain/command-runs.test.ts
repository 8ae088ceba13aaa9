import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import {
  checksIn,
  clashesIn,
  flakyIn,
  gatesIn,
  gatesOn,
  gatesPassedElsewhere,
  runsRedOnLine,
  sortByGates,
} from '../../../src/domain/command-runs.ts';
import { commandRun } from '../../helpers/facts.ts';
import { results } from '../../helpers/results.ts';

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

it('a record has the gates in their order, and then all else', () => {
  const runs = ['build', 'test', 'lint'].map((name) => green('deciding', { name }));
  const kept = sortByGates(
    [{ name: 'lint' }, { name: 'test' }],
    [green('mutant', { name: 'test' }), ...runs, green('prover', { name: 'c' })],
  );
  expect(kept.map(({ name, why }) => `${name} ${why}`)).toEqual([
    ...['lint deciding', 'test deciding', 'test mutant', 'build deciding', 'c prover'],
  ]);
});

describe('which gates fail on the line without the work', () => {
  const without = (...all: CommandRun[]) => runsRedOnLine({ commandRuns: all });
  const once = red('since-when', { commit: 'l' });
  it.each<[string, CommandRun[], number]>([
    ['failed three times', [once, once, { ...once, outputTail: 'last' }], 1],
    ['failed twice', [once, once], 0],
    ['passed once', [once, once, green('since-when', { commit: 'l' }), once], 0],
    ['failed on two commits', [once, once, red('since-when', { commit: 'm' })], 0],
    ['were two gates', [once, once, red('since-when', { commit: 'l', name: 'lint' })], 0],
    ['failed with the work', [red('deciding'), red('again'), red('again')], 0],
  ])('those that %s', (_, runs, count) => expect(without(...runs)).toHaveLength(count));

  it('is its last run', () =>
    expect(without(once, once, { ...once, outputTail: 'last' })).toMatchObject([{ outputTail: 'last' }]));
});

describe('which gates fail with what landed meanwhile alone', () => {
  const failing = (...names: string[]) => ({ results: results({ failing: names }) });
  it.each<[string, CommandRun[], number]>([
    ['pass without the work', [green('since-when'), red('joined')], 1],
    ['pass with both after all', [green('since-when'), green('joined')], 0],
    ['fail alike without the work', [red('since-when', failing('a', 'b')), red('joined', failing('a'))], 0],
    ['fail otherwise without it', [red('since-when', failing('a')), red('joined', failing('b'))], 1],
    ['fail without the work and name nothing', [red('since-when'), red('joined')], 0],
    ["weren't asked once more", [green('since-when'), red('deciding')], 0],
  ])('those that %s', (_, commandRuns, count) => expect(clashesIn({ commandRuns })).toHaveLength(count));
});

describe('which gates pass in the copy of the agent alone', () => {
  const there = (why: CommandRun['why']) => green(why, { place: 'agents-copy' });
  const trial = (outcome: CommandRun['outcome'], ...ignored: string[]) =>
    commandRun({ why: 'trial', outcome, put: { files: [], ignored, canary: null, mutant: null } });
  const PASSED = { kind: 'passed' } as const;
  it.each<[string, CommandRun[], object[]]>([
    ['it fails there, too', [red('deciding'), red('copy', { place: 'agents-copy' })], []],
    ['it passes in both', [green('deciding'), there('copy')], []],
    ['it runs there alone', [there('deciding')], []],
    ['nothing was found', [red('deciding'), there('copy')], [{ gate: 'test', ignored: [], decides: false }]],
    [
      'what makes the difference was found',
      [
        ...[red('deciding'), red('again'), there('copy'), trial(PASSED, 'a', 'b'), trial(RED, 'a')],
        trial(PASSED, 'b'),
      ],
      [{ gate: 'test', ignored: ['b'], decides: false }],
    ],
    [
      'it decides',
      [red('deciding'), there('deciding'), trial(PASSED, 'a')],
      [{ gate: 'test', ignored: ['a'], decides: true }],
    ],
  ])('%s', (_, commandRuns, seen) => expect(gatesPassedElsewhere({ commandRuns })).toEqual(seen));
});

describe('how gates ended on one tree', () => {
  it.each<[string, CommandRun[], string[]]>([
    [
      'a green look counts, whatever it was for',
      [red('deciding'), red('again'), green('joined')],
      ['passed'],
    ],
    ['so does that of a landing', [red('deciding'), green('landing')], ['passed']],
    ['red looks alone are red', [red('deciding'), red('landing')], ['failed']],
    ['with files laid over it, it is another one', [green('canary'), green('taken-back')], []],
    [
      'not with files that are brought into it either',
      [
        red('deciding'),
        green('deciding', { put: { files: [], ignored: ['a'], canary: null, mutant: null } }),
      ],
      ['failed'],
    ],
  ])('%s', (_, runs, ended) => expect(gatesOn(runs).map(({ outcome }) => outcome.kind)).toEqual(ended));
});
