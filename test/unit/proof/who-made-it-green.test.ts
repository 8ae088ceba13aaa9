import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import { type GateBaseline, NOT_TRIED } from '../../../src/domain/gate-baseline.ts';
import type { ProofFacts } from '../../../src/domain/proof-run.ts';
import type { TestResults } from '../../../src/domain/test-results.ts';
import { earnedBy } from '../../../src/proof/shown/green/earned.ts';
import { whoMadeItGreen } from '../../../src/proof/shown/green/who-made-it-green.ts';
import { commandRun } from '../../helpers/facts.ts';
import { results } from '../../helpers/results.ts';

const FAILED: GateOutcome = { kind: 'failed', exitCode: 1, signal: null };
const BROKEN = 'Error: ralph broke this function on purpose';

type Why = CommandRun['why'];

/** Returns a run in which these tests failed and those passed. */
function run(why: Why, failing: readonly string[], passing: readonly string[] | null, tail = ''): CommandRun {
  const counts = {
    ...{ run: failing.length + (passing?.length ?? 0), passed: passing?.length ?? 0 },
    ...{ failed: failing.length, skipped: 0 },
  };
  const named: Partial<TestResults> = { tests: counts, failing: [...failing] };
  return commandRun({
    ...{ why, outcome: failing.length > 0 || tail !== '' ? FAILED : { kind: 'passed' }, outputTail: tail },
    results: results({ ...named, passing: passing === null ? null : [...passing] }),
  });
}

/** Returns a run of a gate whose output can't be read. */
const plain = (why: Why, outcome: GateOutcome = { kind: 'passed' }, outputTail = '') =>
  commandRun({ why, outcome, outputTail });

function baseline(outcome: GateOutcome, before: TestResults | null): GateBaseline {
  return {
    ...{ tree: 't', takenAt: '', commands: {}, sources: {}, ...NOT_TRIED },
    runs: [commandRun({ why: 'baseline', outcome, results: before })],
  };
}

const RED = baseline(FAILED, results({ failing: ['adds up'], passing: ['is there'] }));
const GREEN = baseline({ kind: 'passed' }, results({ failing: [], passing: ['adds up', 'is there'] }));
const NAMELESS = baseline(FAILED, null);
const UNLOADED = baseline(FAILED, results({ failing: [], notLoaded: ['test/a.js'], passing: [] }));

const NOW = run('deciding', [], ['adds up', 'is there']);
const PUT_BACK = [{ gate: 'test', paths: ['test/a.js'] }];
const PROOF: ProofFacts = {
  ...{ byProver: [], production: ['src/a.js'], isTakenBack: true, putBack: PUT_BACK, leftOut: [] },
  ...{ isBrokenWhole: true, retries: [], durationMs: 1 },
};

type More = { readonly proof?: Partial<ProofFacts>; readonly title?: string; readonly approved?: boolean };
type Row = [what: string, before: GateBaseline, runs: readonly CommandRun[], more?: More];

function asked(before: GateBaseline, runs: readonly CommandRun[], more: More = {}) {
  const state = { decisions: { approved: more.approved === true ? ['sign'] : [] } };
  return whoMadeItGreen({
    commandRuns: [...runs],
    baseline: before,
    task: { ...EMPTY_TASK, title: more.title ?? 'Add up' },
    proof: { ...PROOF, ...more.proof },
    taskState: state as never,
  });
}

describe('a demand is bent', () => {
  it.each<Row>([
    [
      'by a test that passes on old code, and fails as it was',
      RED,
      [NOW, run('taken-back', [], ['adds up', 'is there']), run('as-demanded', ['adds up'], ['is there'])],
    ],
    [
      'by a test alone',
      RED,
      [NOW, run('as-demanded', ['adds up'], ['is there'])],
      { proof: { production: [] } },
    ],
    [
      'by one that only can’t be loaded without the work',
      RED,
      [
        NOW,
        run('taken-back', ['adds up'], [], "Cannot find module '../src/new.js'"),
        run('as-demanded', ['adds up'], ['is there']),
      ],
    ],
    [
      'by half a fix with an easier test',
      RED,
      [
        NOW,
        run('taken-back', ['adds up'], ['is there']),
        run('as-demanded', ['adds up'], ['is there']),
        run('old-tests', ['adds up'], ['is there']),
      ],
    ],
    [
      'whenever it was asked',
      RED,
      [NOW, run('as-demanded', ['adds up'], ['is there']), run('as-demanded', ['adds up'], ['is there'])],
      { proof: { production: [] } },
    ],
    ['of a gate without names', NAMELESS, [plain('deciding'), plain('as-demanded', FAILED, '40 of 100')]],
    [
      'of a test that the task names, with code that does nothing for it',
      GREEN,
      [NOW, run('taken-back', [], ['adds up', 'is there']), run('old-tests', ['adds up'], ['is there'])],
      { title: 'The test "adds up" must be green with negative numbers' },
    ],
    [
      'of a test that the task names, and that is another one now',
      GREEN,
      [NOW, run('taken-back', ['adds up'], ['is there']), run('old-tests', ['adds up'], ['is there'])],
      { title: 'The test "adds up" must be green with negative numbers' },
    ],
    [
      'by a test that is gone',
      RED,
      [
        run('deciding', [], ['is there']),
        run('taken-back', [], ['is there']),
        run('as-demanded', ['adds up'], ['is there']),
      ],
    ],
    [
      'of a file that couldn’t be loaded, with tests that reach no code',
      UNLOADED,
      [
        NOW,
        commandRun({
          ...{ why: 'as-demanded', outcome: FAILED, outputTail: 'Cannot find module' },
          results: results({ failing: [], notLoaded: ['test/a.js'] }),
        }),
        run('broken-code', [], ['adds up', 'is there']),
      ],
      { proof: { production: [] } },
    ],
  ])('%s', (_what, before, runs, more?: More) => {
    expect(asked(before, runs, more).bent).toHaveLength(1);
    // With your approval the changed requirement is accepted.
    expect(asked(before, runs, { ...more, approved: true }).bent).toEqual([]);
  });
});

describe('the work made it green', () => {
  it.each<Row>([
    [
      'of a gate that finds no script as it was',
      NAMELESS,
      [plain('deciding'), plain('as-demanded', FAILED, 'npm error Missing script: "test"')],
    ],
    [
      'of a gate that finds no test as it was',
      NAMELESS,
      [
        plain('deciding'),
        commandRun({ why: 'as-demanded', outcome: FAILED, results: results({ none: true }) }),
      ],
    ],
    ['where nothing else changed', RED, [NOW], { proof: { isTakenBack: false, putBack: [] } }],
    [
      'where the test passes as it was',
      RED,
      [NOW, run('taken-back', [], ['adds up', 'is there']), run('as-demanded', [], ['adds up', 'is there'])],
    ],
    [
      'where it passes as it was the second time',
      RED,
      [NOW, run('as-demanded', ['adds up'], ['is there']), run('as-demanded', [], ['adds up', 'is there'])],
      { proof: { production: [] } },
    ],
    [
      'where the test as it was can’t be loaded any more, and the new one fails without the work',
      RED,
      [
        NOW,
        run('taken-back', ['adds up'], ['is there'], 'AssertionError'),
        run('as-demanded', ['adds up'], [], 'SyntaxError: no such export'),
      ],
    ],
    [
      'where the task asks for another test',
      RED,
      [
        NOW,
        run('taken-back', ['adds up'], ['is there']),
        run('as-demanded', ['adds up'], ['is there']),
        run('old-tests', ['adds up'], ['is there']),
      ],
      { title: 'Rename add to sum everywhere' },
    ],
    ['where there was no time to ask', RED, [NOW]],
    ['where the code taken back wasn’t run', RED, [NOW, run('as-demanded', ['adds up'], ['is there'])]],
    ['where a gate without names passes as it was', NAMELESS, [plain('deciding'), plain('as-demanded')]],
    [
      'where the task renames what the test that it names is of',
      GREEN,
      [NOW, run('taken-back', ['adds up'], ['is there']), run('old-tests', ['adds up'], ['is there'])],
      { title: 'The test "adds up" must be green; rename add to sum' },
    ],
    [
      'where what is built is in the file of a limit',
      NAMELESS,
      [plain('deciding'), plain('as-demanded', FAILED, 'error: could not compile')],
      { proof: { putBack: [{ gate: 'test', paths: ['CMakeLists.txt'] }] } },
    ],
    [
      'where a file that couldn’t be loaded is of code now',
      UNLOADED,
      [
        NOW,
        commandRun({
          ...{ why: 'as-demanded', outcome: FAILED, outputTail: 'Cannot find module' },
          results: results({ failing: [], notLoaded: ['test/a.js'] }),
        }),
        run('broken-code', ['adds up'], ['is there'], BROKEN),
      ],
      { proof: { production: [] } },
    ],
  ])('%s', (_what, before, runs, more?: More) => {
    expect(asked(before, runs, more).bent).toEqual([]);
  });
});

describe('a test that fails without the work', () => {
  type Earns = [
    what: string,
    runs: readonly CommandRun[],
    earned: readonly string[],
    more?: Partial<ProofFacts>,
  ];
  const WITHOUT = run('taken-back', ['adds up'], ['is there'], 'AssertionError');
  const UNLOADED_WITHOUT = run('taken-back', [], ['is there'], "Cannot find module '../src/a.js'");
  const earned = (runs: readonly CommandRun[], more: Partial<ProofFacts> = {}) =>
    earnedBy(NOW, true, {
      ...{ commandRuns: [NOW, ...runs], baseline: null, proof: { ...PROOF, ...more } },
      avoidance: { findings: [], testsGone: 0, featuresGone: [], detections: {} },
    });

  it.each<Earns>([
    ['and with broken code', [WITHOUT, run('broken-code', ['adds up'], [], BROKEN)], ['adds up']],
    ['where none could be broken', [WITHOUT], ['adds up']],
    [
      'as a value outside of functions changed',
      [WITHOUT, run('broken-code', [], ['adds up', 'is there'])],
      ['adds up'],
      { isBrokenWhole: false },
    ],
    [
      'as it can’t be loaded, and runs into broken code',
      [UNLOADED_WITHOUT, run('broken-code', ['adds up'], ['is there'], BROKEN)],
      ['adds up'],
    ],
  ])('shows it: %s', (_what, runs, names, more?: Partial<ProofFacts>) => {
    expect(earned(runs, more)).toEqual({ failToPass: names, lowered: [] });
  });

  it.each<[string, readonly CommandRun[], string, Partial<ProofFacts>?]>([
    ['it can’t be loaded', [UNLOADED_WITHOUT], "can't even be loaded"],
    [
      'it can’t be loaded, and broken code is fine',
      [UNLOADED_WITHOUT, run('broken-code', [], ['adds up', 'is there'])],
      "can't even be loaded",
    ],
    [
      'broken code is fine',
      [WITHOUT, run('broken-code', [], ['adds up', 'is there'])],
      'pass with broken code, too',
    ],
    ['failing tests are repeated', [WITHOUT], 'are repeated (package.json)', { retries: ['package.json'] }],
    [
      'it failed with the work once',
      [WITHOUT, run('again', ['adds up'], ['is there'])],
      'pass only when they are repeated',
    ],
  ])('shows nothing where %s', (_what, runs, why, more?: Partial<ProofFacts>) => {
    const { failToPass, lowered } = earned(runs, more);
    expect(failToPass).toEqual([]);
    expect(lowered.join()).toContain(why);
  });
});
