import { parsePatch } from 'ralph-kit/formats/patch';
import { type Changes, readChanges } from './change.ts';
import { compareFiles, type FileVersions } from './diff/compare-files.ts';
import type { AvoidanceFinding } from './finding.ts';
import { isAskedFor, type ReviewContext, rateSignals } from './rate-signals.ts';
import { removedFeatures } from './signals/exports.ts';
import { SIGNALS } from './signals/registry.ts';

/** A unified diff, or both versions of the files, which contain more. */
export type DiffInput = { readonly patch: string } | { readonly files: readonly FileVersions[] };

export type DiffReview = {
  readonly findings: readonly AvoidanceFinding[];
  readonly verdict: 'clean' | 'warn' | 'act';
  /**
   * Removed tests and features, whether or not they are findings: the net number of tests, and `PATH: NAME` for features that the task
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
  const features = removedFeatures(changes).filter((signal) => !isAskedFor(signal, context));
  return {
    tests: Math.max(0, tests),
    features: features.map(({ path, before }) => `${path}: ${(before ?? '').trim()}`),
  };
}
