import type { LoopContext } from '../context.ts';
import { askProver } from '../roles/ask-prover.ts';
import { planPhase } from '../roles/plan-phase.ts';
import { beginIteration, recordStart, type StartedIteration } from '../start/begin.ts';
import type { Chosen, IterationOutcome } from '../start/chosen.ts';
import type { Turn } from '../turns.ts';
import { type Attempted, attemptTask } from './attempt.ts';
import { enterPhase } from './enter-phase.ts';
import { judgeAttempt } from './judge.ts';
import { settleIteration } from './settle.ts';

type Started =
  | { readonly kind: 'started'; readonly outcome: Promise<IterationOutcome> }
  | { readonly kind: 'refused'; readonly message: string };

/** Starts an iteration. docs/ARCHITECTURE.md lists its steps ("An iteration"). */
export async function startIteration(context: LoopContext, chosen: Chosen): Promise<Started> {
  const outcome = await beginIteration(context, chosen);
  if (!outcome.ok) return { kind: 'refused', message: outcome.message };
  const recorded = recordStart(context, outcome.started);
  return { kind: 'started', outcome: iterate(context, chosen, outcome.started, recorded) };
}

async function iterate(
  context: LoopContext,
  chosen: Chosen,
  first: StartedIteration,
  recorded: ReturnType<typeof recordStart>,
): Promise<IterationOutcome> {
  const wrote = await askProver(context, chosen, first);
  const { started, planned } = await planPhase(context, chosen, first);
  const attempted = await attemptTask(context, chosen, started, recorded);
  const { turn, waitedMs } = await takeTurn(context, chosen, started, attempted);
  const { clock } = context.ports;
  const gatesBeganMs = clock.monotonicMs();
  const isReviewed = context.workflow !== null || context.prover !== null;
  try {
    const judged = await judgeAttempt(
      context,
      chosen,
      { started, planned, wrote, turn, waitedMs },
      attempted,
    );
    const outcome = await settleIteration(context, chosen, started, attempted, { ...judged, turn });
    const { durationMs: agentMs } = attempted.facts;
    const took = { agentMs, gatesMs: clock.monotonicMs() - gatesBeganMs };
    return { ...outcome, took: isReviewed || !attempted.claim.completion ? null : took };
  } finally {
    turn.leave();
  }
}

async function takeTurn(
  context: LoopContext,
  { task }: Chosen,
  { facts: { iteration } }: StartedIteration,
  { claim, waitedMs }: Attempted,
): Promise<{ readonly turn: Turn; readonly waitedMs: number }> {
  const { turns, ports } = context;
  const { clock, store } = ports;
  const [askedMs, lands] = [clock.monotonicMs(), claim.completion];
  const priority = () => (store.state.first.includes(task.id) ? 0 : task.priority);
  const entered = turns.enter({ taskId: task.id, priority, lands }, ports.stop.polite);
  try {
    if (turns.waiting().some(({ taskId }) => taskId === task.id))
      await enterPhase(context, iteration, { phase: 'turn', lands });
  } catch (error) {
    // A turn that is never given up would block all other workers.
    void entered.then((turn) => turn.leave());
    throw error;
  }
  const turn = await entered;
  return { turn, waitedMs: waitedMs + Math.round(clock.monotonicMs() - askedMs) };
}
