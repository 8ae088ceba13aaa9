import { isTestData } from 'ralph-ecosystems';
import { parsePatch } from 'ralph-kit/formats/patch';
import { type Change, type Changes, readChanges, type Version } from './change.ts';
import { compareFiles, type FileVersions } from './diff/compare-files.ts';
import type { AvoidanceFinding } from './finding.ts';
import { asksToRemove, isAskedFor, type ReviewContext, rateSignals } from './rate-signals.ts';
import { removedFeatures } from './signals/exports.ts';
import { SIGNALS } from './signals/registry.ts';

/** A unified diff, or both versions of the files, which contain more. */
export type DiffInput = { readonly patch: string } | { readonly files: readonly FileVersions[] };

export type DiffReview = {
  readonly findings: readonly AvoidanceFinding[];
  readonly verdict: 'clean' | 'warn' | 'act';
  /**
   * Removed tests and features, whether or not they are findings: the net number of tests, or the lines of tests that are gone if the task asks to remove something, and `PATH: NAME` for features that the task
   * doesn't ask to remove.
   */
  readonly gone: { readonly tests: number; readonly features: readonly string[] };
};

/**
 * Returns signs that a change avoids the work. Pure, and never throws: text that isn't a diff has no findings.
 * @see docs/AVOIDANCE.md
 */
export function reviewDiff(input: DiffInput, context: ReviewContext = {}): DiffReview {
  const files = 'patch' in input ? parsePatch(input.patch) : input.files.map(compareFiles);
  const changes = readChanges(files, context.tests ?? []);
  const findings = rateSignals(
    SIGNALS.flatMap((signals) => signals(changes)),
    changes,
    context,
  );
  const act = findings.some(({ level }) => level === 'act');
  return {
    findings,
    verdict: act ? 'act' : findings.length > 0 ? 'warn' : 'clean',
    gone: goneIn(changes, context),
  };
}

function goneIn(changes: Changes, context: ReviewContext): DiffReview['gone'] {
  const tests = changes.all.reduce(
    (sum, { before, after }) => sum + before.tests.length - after.tests.length,
    0,
  );
  // Checks without a name, and rows of data, are tests to some runners.
  const rows = asksToRemove(context.goal) ? linesGone(changes) : 0;
  const features = removedFeatures(changes).filter((signal) => !isAskedFor(signal, context));
  return {
    tests: Math.max(0, tests, rows),
    features: features.map(({ path, before }) => `${path}: ${(before ?? '').trim()}`),
  };
}

/** Returns the number of lines of tests that are nowhere any more. */
function linesGone({ all }: Changes): number {
  const now = new Set(all.flatMap(({ after }) => changedLines(after)));
  return all
    .filter(isOfTests)
    .flatMap(({ before }) => changedLines(before))
    .filter((line) => !now.has(line)).length;
}

function isOfTests({ role, path }: Change): boolean {
  return role === 'test' || role === 'test_support' || isTestData(path);
}

function changedLines({ side }: Version): string[] {
  return side.lines.filter(({ changed }) => changed).map(({ text }) => text.trim());
}
