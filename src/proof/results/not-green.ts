import { RUNNERS } from 'ralph-ecosystems';
import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import type { GateOutcome } from '../../domain/gate.ts';
import {
  countsText,
  type NotGreen,
  ranNoTest,
  type TestComparison,
  type TestResults,
} from '../../domain/test-results.ts';
import { lostTests } from './compare.ts';

type Compared = Pick<TestComparison, 'now' | 'before'>;

/**
 * Returns why a gate that exited with 0 isn't green by its runner's report; `null` if it is, or was no better before any agent ran. Without
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
  // A command that runs a selection may select nothing.
  if (ranNoTest(now) && ranSome(before) && (lost > 0 || now.tests === null || before?.tests === null))
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
