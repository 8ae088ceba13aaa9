import type { LoopContext } from '../context.ts';
import { askProver } from '../proof/ask-prover.ts';
import { planPhase } from '../roles/plan-phase.ts';
import { attemptTask } from './attempt.ts';
import { beginIteration, recordStart } from './begin.ts';
import type { Chosen, IterationOutcome } from './chosen.ts';
import { judgeAttempt } from './judge.ts';
import { settleIteration } from './settle.ts';

/** One pass of the loop over a task, from the prompt to the record (docs/ARCHITECTURE.md, One iteration). */
export async function runIteration(context: LoopContext, chosen: Chosen): Promise<IterationOutcome> {
  const outcome = await beginIteration(context, chosen);
  if (!outcome.ok) return { kind: 'refused', message: outcome.message };
  const recorded = recordStart(context, outcome.begun);
  const wrote = await askProver(context, chosen, outcome.begun);
  const { begun, planned } = await planPhase(context, chosen, outcome.begun);
  const attempted = await attemptTask(context, chosen, begun, recorded);
  const judged = await judgeAttempt(context, chosen, { begun, planned, wrote }, attempted);
  return settleIteration(context, chosen, begun, attempted, judged);
}
