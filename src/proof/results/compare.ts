import { printedNothing, RUNNERS } from 'ralph-ecosystems';
import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import type { GateOutcome, GateResult } from '../../domain/gate.ts';
import { type GateBaseline, resultsBefore, runsBefore } from '../../domain/gate-baseline.ts';
import {
  countsText,
  type NotGreen,
  ranNoTest,
  type TestComparison,
  type TestCounts,
  type TestResults,
} from '../../domain/test-results.ts';

/**
 * Results of a gate that passes without output, though it counted tests before: `rake test` without such a task beside a
 * folder of that name, `npm test --workspaces --if-present` without such a script.
 */
const SILENT: TestResults = {
  runners: [],
  tests: null,
  failing: [],
  passing: null,
  coverage: null,
  none: true,
  notLoaded: null,
  focused: false,
  places: [],
  uncounted: [],
};

export function compareResults(
  results: readonly GateResult[],
  baseline: GateBaseline | null,
): TestComparison[] {
  return results.flatMap(({ name, outcome, outputTail, results: read }) => {
    const before = resultsBefore(baseline, name);
    const isSilent = outcome.kind === 'passed' && printedNothing(outputTail) && ranSome(before);
    const now = read ?? (isSilent ? SILENT : null);
    if (now === null) return [];
    const known = new Set(before?.failing);
    return [
      {
        gate: name,
        now,
        before,
        newlyFailing: now.failing.filter((test) => !known.has(test)),
        failingBefore: now.failing.filter((test) => known.has(test)),
      },
    ];
  });
}

export function failingBefore(baseline: GateBaseline | null): string[] {
  return runsBefore(baseline).flatMap(({ results }) => results?.failing ?? []);
}

/** Returns the coverage before and now, from the first gate that reports both. */
export function coverageOf(
  all: readonly TestComparison[],
): { readonly before: number; readonly after: number } | null {
  for (const { now, before } of all) {
    if (now.coverage !== null && before !== null && before.coverage !== null)
      return { before: before.coverage, after: now.coverage };
  }
  return null;
}

/** Returns the number of passed tests that are skipped now, by counts: the smaller of fewer passed and more skipped. */
export function switchedOff(all: readonly TestComparison[]): number {
  return all.reduce((total, { now, before }) => {
    if (now.tests === null || before === null || before.tests === null) return total;
    const [fewer, more] = [before.tests.passed - now.tests.passed, now.tests.skipped - before.tests.skipped];
    return total + Math.max(0, Math.min(fewer, more));
  }, 0);
}

const SELECTS =
  /\saffected\b|\s(?:-F|--filter)[ =]\S*\[|\s(?:-o|--only-?changed|--changed(?:-since|=\S*)?|--related|--find-?related-?tests|--last-failed|--lf|--failed-first|--stepwise|--sw|--affected|--since)\b/i;

/**
 * Returns the net number of tests that ran at the baseline and don't now. A renamed, moved or parametrised test has a replacement; a
 * skipped one doesn't run. 0 if unknown, and for commands that run a selection.
 * @param run The gate's command.
 */
export function lostTests({ now, before }: Pick<TestComparison, 'now' | 'before'>, run: string): number {
  if (SELECTS.test(run) || before === null || before.tests === null || now.tests === null) return 0;
  // A part of the output that can't be read any more is unknown, not a loss.
  if (now.uncounted.some((name) => !before.uncounted.includes(name))) return 0;
  const [then, today] = [before.tests, now.tests];
  if (then.passed > 0 && today.run === 0) return then.passed;
  if (before.passing !== null && now.passing !== null) {
    const [names, old] = [namesOf(now), namesOf(before)];
    const fewerPassed = absentAmong(before.passing, names) - absentAmong([...names], old);
    // A failure may have the name of a file or a hook; it was a test if fewer run now.
    const fewer = Math.min(fewerPassed + absentAmong(before.failing, names), then.run - today.run);
    return Math.max(0, fewerPassed, fewer);
  }
  return Math.max(0, then.run - today.run);
}

/** Returns the number of tests that passed at the baseline and have no test of that name now; `null` if some aren't named. */
export function absentTests({ now, before }: Pick<TestComparison, 'now' | 'before'>): number | null {
  if (before === null || before.passing === null || now.passing === null) return null;
  return absentAmong(before.passing, namesOf(now));
}

function namesOf({ passing, failing }: TestResults): ReadonlySet<string> {
  return new Set([...(passing ?? []), ...failing]);
}

function absentAmong(all: readonly string[], names: ReadonlySet<string>): number {
  return all.filter((name) => !names.has(name)).length;
}

export function testsOf(all: readonly TestComparison[]): TestCounts | null {
  const reported = all.flatMap(({ now }) => now.tests ?? []);
  if (reported.length === 0) return null;
  const sum = (of: keyof TestCounts) => reported.reduce((total, one) => total + one[of], 0);
  return { run: sum('run'), passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

type Compared = Pick<TestComparison, 'now' | 'before'>;

/**
 * Returns why a gate that exited with 0 isn't green by its runner's report; `null` if it is, or wasn't better before any agent ran. Without
 * a baseline, only failed tests, files that weren't loaded and a focus count.
 * @param run The gate's command.
 */
export function notGreen({ now, before }: Compared, run: string): NotGreen | null {
  const failed = (now.tests?.failed ?? 0) - (before?.tests?.failed ?? 0);
  if (failed > 0) return { kind: 'failed', lost: 0, text: `it reports ${counted(failed, 'failed test')}` };
  const files = (now.notLoaded ?? []).filter((file) => before?.notLoaded?.includes(file) !== true);
  if (files.length > 0 || (now.notLoaded !== null && (before?.notLoaded ?? null) === null))
    return {
      kind: 'not_loaded',
      lost: 0,
      text: `${firstFew(files, FILES_NAMED) || 'a file'} could not be loaded`,
    };
  if (now.focused && before?.focused !== true)
    return { kind: 'focused', lost: 0, text: `a focus left tests out${thenText(before)}` };
  const lost = lostTests({ now, before }, run);
  const today = now.tests === null ? '' : `; now: ${countsText(now.tests)}`;
  const isNew = lost > 0 || now.tests === null || before?.tests === null;
  // A command that runs a selection may select nothing.
  if (ranNoTest(now) && ranSome(before) && isNew && !SELECTS.test(run))
    return (now.tests?.skipped ?? 0) > 0
      ? { kind: 'skipped', lost, text: `all its tests are skipped${thenText(before)}` }
      : { kind: 'none', lost, text: `no test ran${thenText(before)}` };
  if (lost === 0) return null;
  const many = lost === 1 ? '1 test that ran before is gone' : `${lost} tests that ran before are gone`;
  return { kind: 'lost', lost, text: `${many}${thenText(before, today)}` };
}

/** Number of files in the text. */
const FILES_NAMED = 3;

function ranSome(before: TestResults | null): boolean {
  return before !== null && before.runners.length > 0 && !ranNoTest(before);
}

function thenText(before: TestResults | null, now = ''): string {
  const tests = before?.tests ?? null;
  return tests === null ? '' : ` (before: ${countsText(tests)}${now})`;
}

/** Returns the outcome of a command. For a runner that always exits with 0, its report decides. */
export function outcomeBy(
  outcome: GateOutcome,
  results: TestResults | null,
  runners: readonly { readonly name: string; readonly endsWithZero?: true }[] = RUNNERS,
): GateOutcome {
  if (outcome.kind !== 'passed' || results === null) return outcome;
  const isDeaf = runners.some(({ name, endsWithZero }) => endsWithZero && results.runners.includes(name));
  const saysFailed = (results.tests?.failed ?? 0) > 0 || results.failing.length > 0;
  return isDeaf && saysFailed ? { kind: 'failed', exitCode: 0, signal: null } : outcome;
}
