import type { AttemptSummary } from '../../../domain/records/state.ts';
import { isOutsideCause } from '../../../domain/verdict.ts';
import type { Attempt } from '../attempt.ts';
import type { Detection } from '../detector.ts';
import { decideByEnding } from '../verdict/ending.ts';

/** Finds that the attempt returned to an earlier tree of the series (A → B → A), unless it reports being blocked. */
export function oscillation(attempt: Attempt): Detection | null {
  const { before, after } = attempt.changes;
  if (before.tree === after.tree) return null;
  if (decideByEnding(attempt)?.verdict.kind === 'agent_blocked') return null;
  const seen = treesOf(attempt.history).find(({ tree }) => tree === after.tree);
  if (seen === undefined) return null;
  const when =
    seen.moment === 'before'
      ? `before iteration ${seen.iteration}, the first of this task`
      : `after iteration ${seen.iteration}`;
  return {
    severity: 'medium',
    summary: `The work tree is back where it was ${when}: work is being undone or repeated.`,
    details: { tree: after.tree, seen_iteration: seen.iteration, seen_at: seen.moment },
  };
}

type SeenTree = { readonly tree: string; readonly iteration: number; readonly moment: 'before' | 'after' };

/** Returns the trees of the series, without those left by attempts cut short from outside, and those before a rollback. */
function treesOf(history: readonly AttemptSummary[]): SeenTree[] {
  const [first] = history;
  const undone = history.findLastIndex(({ rolledBack }) => rolledBack);
  const start: SeenTree[] =
    first === undefined ? [] : [{ tree: first.before, iteration: first.iteration, moment: 'before' }];
  const left = history
    .slice(undone + 1)
    .filter(({ verdict }) => !isOutsideCause(verdict))
    .map(({ tree, iteration }): SeenTree => ({ tree, iteration, moment: 'after' }));
  return [...start, ...left.toReversed()];
}
