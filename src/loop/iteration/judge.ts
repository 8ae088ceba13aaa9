import { decideIteration, gatesToRun, type WholeDiff } from '../../decide/index.ts';
import { READ_PATCH_BYTES } from '../../domain/change-set.ts';
import type { ProverFacts } from '../../domain/prover.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/state.ts';
import type { Tested } from '../../lab/index.ts';
import { idleChanges } from '../../proof/findings/index.ts';
import { workMessage } from '../commit-message.ts';
import type { LoopContext } from '../context.ts';
import { tryMutants } from '../proof/try-mutants.ts';
import { checkByProver } from '../roles/check-by-prover.ts';
import { checkPhase } from '../roles/check-phase.ts';
import type { Planned } from '../roles/plan-phase.ts';
import type { StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import type { Turn } from '../turns.ts';
import { askHandlers } from './ask-handlers.ts';
import type { Attempted } from './attempt.ts';
import { enterPhase } from './enter-phase.ts';
import { examineWork, interruptedByYou } from './examine.ts';

export type Judged = {
  readonly facts: IterationFacts;
  /** The tree on which gates ran; `null`: there was no tree to test. */
  readonly tested: Tested | null;
  readonly decisions: IterationDecisions;
  /** Start of the gates, ISO 8601 UTC. */
  readonly gatesBegan: string;
  readonly gatesEnded: string;
};

type Before = {
  readonly started: StartedIteration;
  readonly planned: Planned | null;
  readonly wrote: ProverFacts['wrote'];
  /** Turn to run gates. It is given up before agents review the work. */
  readonly turn: Turn;
  /** Milliseconds that the attempt waited for a worker and for its turn. */
  readonly waitedMs: number;
};

export async function judgeAttempt(
  context: LoopContext,
  chosen: Chosen,
  { started, planned, wrote, turn, waitedMs }: Before,
  attempted: Attempted,
): Promise<Judged> {
  const { ports } = context;
  const { clock, store } = ports;
  const { claim, patch, commits, hooks } = attempted;
  const attempt = { ...started.facts, ...attempted.facts, waitedMs };
  const { series, patch: whole } = await seriesOf(context, attempt, patch);
  const prover = wrote === null ? null : { wrote, ruled: null };
  const attemptFacts = { ...attempt, series, prover };
  const plan = gatesToRun(context.gates, attemptFacts, claim);
  const lands = claim.completion;
  if (plan.run.length > 0) {
    await enterPhase(context, attemptFacts.iteration, { phase: 'gates', lands });
    store.commit([
      { type: 'gates_started', gates: plan.run.map(({ name }) => name), baseline: false, one: null },
    ]);
  }
  const { folder } = started;
  const examined = await examineWork(context, attemptFacts, {
    claim,
    plan,
    folder,
    joins: lands,
    patch,
    whole,
    commits,
    head: {
      message: workMessage(context.config, attemptFacts.task, {
        hooks,
        commits: attemptFacts.changes.commits,
      }),
    },
    reviewed: reviewedWork(attemptFacts, patch, whole),
  });
  const { tested, gatesBegan, gatesEnded } = examined;
  if (context.workflow !== null || context.prover !== null) {
    turn.leave();
    await enterPhase(context, attemptFacts.iteration, { phase: 'review', lands });
  }
  const beforeReview = await checkByProver(context, chosen, started, examined.facts, tested);
  const { workflow, cutOff } = await checkPhase(context, chosen, { started, planned }, beforeReview);
  const judged = {
    ...beforeReview,
    ...(workflow === null
      ? {}
      : {
          workflow,
          end: endAfterReview(attemptFacts.end, ports.stop.reason(), cutOff),
          endedAt: clock.now(),
        }),
  };
  const facts = { ...judged, ...(await askHandlers(ports.handlers, judged)) };
  const decisions = decideIteration(facts, claim);
  const isDone = decisions.verdict.kind === 'done';
  const shown = { proof: decisions.proof, tested };
  const tried = isDone ? await tryMutants(context, plan.run, facts, shown) : {};
  if (examined.hasRun) store.commit([gatesFinished(decisions)]);
  return { facts: { ...facts, ...tried }, tested, decisions, gatesBegan, gatesEnded };
}

/**
 * Returns the changes by all attempts of the series, with the facts about it. `series`: `null` for the first attempt.
 */
async function seriesOf(
  { ports: { work, store } }: LoopContext,
  { changes: { before, after }, taskState: { series } }: Pick<IterationFacts, 'changes' | 'taskState'>,
  own: string,
): Promise<Pick<IterationFacts, 'series'> & { readonly patch: string }> {
  if (series === null || series.tree === before.tree) return { series: null, patch: own };
  const { tree, head, branch } = series;
  const { changes, patch } = await work.git.diffWithPatch({ tree, head, branch }, after, READ_PATCH_BYTES);
  const idle = idleChanges(changes, patch, (path) => isOutput(store.state, path));
  return { series: { changes, idleChanges: idle }, patch };
}

/**
 * Returns the changes in which signs of avoidance are looked for: all since the tree was last verified, because work
 * that one attempt avoided is still avoided in the next. Changes that you approved are left out.
 */
function reviewedWork(
  { changes, series, taskState: { decisions } }: Pick<IterationFacts, 'changes' | 'series' | 'taskState'>,
  attempted: string,
  whole: string,
): WholeDiff {
  return series === null || decisions.approved.length > 0
    ? { changes, patch: attempted }
    : { changes: series.changes, patch: whole };
}

function gatesFinished({ gateReport, testResults: results }: IterationDecisions) {
  return {
    type: 'gates_finished' as const,
    gate: null,
    baseline: [],
    judgements: gateReport.judgements,
    results,
  };
}

/** Ends the attempt unjudged because the budget ended its reviews. The work is kept. */
function endAfterReview(
  end: IterationFacts['end'],
  signal: string | null,
  cutOff: string | null,
): IterationFacts['end'] {
  if (cutOff !== null && end.kind === 'exited')
    return { kind: 'halted', why: 'budget_spent', message: cutOff };
  return interruptedByYou(end, signal);
}
