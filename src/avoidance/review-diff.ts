import { readChanges } from './change.ts';
import { compareFiles, type FileVersions } from './diff/compare-files.ts';
import { parsePatch } from './diff/parse-patch.ts';
import type { AvoidanceFinding } from './finding.ts';
import { judgeSignals, type ReviewContext } from './judge.ts';
import { SIGNALS } from './signals/registry.ts';

/** What is reviewed: a unified diff, or the files in both versions, which says more. */
export type DiffInput = { readonly patch: string } | { readonly files: readonly FileVersions[] };

export type DiffReview = {
  readonly findings: readonly AvoidanceFinding[];
  /** The strictest level of the findings. */
  readonly verdict: 'clean' | 'warn' | 'act';
};

/**
 * Looks for signs that a change avoids the work instead of doing it.
 *
 * Pure and total: what isn't a diff has no findings.
 *
 * @see spec 5-human-gates, Avoidance detection
 */
export function reviewDiff(input: DiffInput, context: ReviewContext = {}): DiffReview {
  const files = 'patch' in input ? parsePatch(input.patch) : input.files.map(compareFiles);
  const changes = readChanges(files);
  const findings = judgeSignals(
    SIGNALS.flatMap((signals) => signals(changes)),
    changes,
    context,
  );
  const act = findings.some(({ level }) => level === 'act');
  return { findings, verdict: act ? 'act' : findings.length > 0 ? 'warn' : 'clean' };
}
