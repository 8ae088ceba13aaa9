import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import { own } from '../../lib/own.ts';
import { asksToSkip } from '../../proof/avoidance/index.ts';
import { compareResults, lostTests } from '../../proof/results/index.ts';

/**
 * Passing gates of which tests that ran at the reference are gone, or that ran none, with how many. What you approved may go, and
 * so may what the diff takes away with what it tested or as the task asks.
 */
export function gatesWithLostTests({
  gates,
  baseline,
  avoidance: { findings, testsGone },
  task,
  taskState: { decisions },
}: Pick<IterationFacts, 'gates' | 'baseline' | 'avoidance' | 'task' | 'taskState'>): readonly {
  readonly gate: string;
  readonly count: number;
}[] {
  if (decisions.approved.length > 0 || asksToSkip(goalText(task))) return [];
  const isExplained =
    testsGone > 0 &&
    !findings.some(({ category, whitelisted }) => category === 'test_deletion' && whitelisted === null);
  return compareResults(gates, baseline).flatMap(({ gate, now, before }) => {
    if (gates.find(({ name }) => name === gate)?.outcome.kind !== 'passed') return [];
    const count = lostTests({ now, before }, own(baseline?.commands ?? {}, gate) ?? '');
    const ranNone = now.tests?.run === 0;
    return count === 0 || (isExplained && !ranNone) ? [] : [{ gate, count }];
  });
}
