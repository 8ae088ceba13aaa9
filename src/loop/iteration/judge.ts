import {
  decideIteration,
  gatesToRun,
  isManifest,
  judge,
  reviewChanges,
  runsOnOpen,
} from '../../decide/index.ts';
import { type ChangeSet, pathsOf, READ_PATCH_BYTES, type Snapshot } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { ProverFacts } from '../../domain/prover.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/state.ts';
import { isTestOf } from '../../proof/avoidance/index.ts';
import { pathsOfInterest } from '../../proof/evidence/index.ts';
import { idleChanges } from '../../proof/findings/index.ts';
import { checksOf } from '../../proof/shown/index.ts';
import type { Tested } from '../clean-copy.ts';
import type { LoopContext } from '../context.ts';
import { checkByProver } from '../proof/check-by-prover.ts';
import { prove } from '../proof/prove.ts';
import { tryMutants } from '../proof/try-mutants.ts';
import { checkPhase } from '../roles/check-phase.ts';
import type { Planned } from '../roles/plan-phase.ts';
import type { Begun } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import type { Turn } from '../turns.ts';
import { askHandlers } from './ask-handlers.ts';
import type { Attempted } from './attempt.ts';
import { criteriaAfter } from './criteria-after.ts';
import { enterPhase } from './enter-phase.ts';
import { notRun, runDecidingGates } from './gate-runs.ts';
import { plantedCredentials } from './planted-credentials.ts';

/** Tests of the changed files that are read beside the diff. */
const TEST_BYTES = 1_000_000;
/** Manifests of packages, of all that changed. */
const MANIFEST_BYTES = 4_000_000;

export type Judged = {
  readonly facts: IterationFacts;
  /** What the gates ran on; `null`: nothing could be. */
  readonly tested: Tested | null;
  readonly decisions: IterationDecisions;
  /** ISO 8601 UTC. */
  readonly gatesBegan: string;
  readonly gatesEnded: string;
};

type Before = {
  readonly begun: Begun;
  readonly planned: Planned | null;
  readonly wrote: ProverFacts['wrote'];
  /** Left before agents look at the work. */
  readonly turn: Turn;
  /** For that, in milliseconds. */
  readonly waitedMs: number;
};

/** Runs the gates, reads the files that the agent's claim names, and decides from all that was seen. */
export async function judgeAttempt(
  context: LoopContext,
  chosen: Chosen,
  { begun, planned, wrote, turn, waitedMs }: Before,
  attempted: Attempted,
): Promise<Judged> {
  const { ports } = context;
  const { git, work, clock, emit } = ports;
  const seen = { ...begun.facts, ...attempted.facts, waitedMs };
  const { claim } = attempted;
  const { series, patch: whole } = await seriesOf(context, seen, attempted.patch);
  const paths = pathsOfInterest(claim, seen.task, series?.changes ?? seen.changes);
  const fileFacts = [...(await work.git.fileFacts(seen.changes.after, paths))];
  const criteria = await criteriaAfter(git, { task: seen.task, tree: seen.changes.after.tree, fileFacts });
  const plan = gatesToRun(context.gates, { ...seen, series }, claim);
  const lands = claim.completion;
  if (plan.run.length > 0) {
    await enterPhase(context, seen.iteration, { phase: 'gates', lands });
    emit({ kind: 'gates_started', gates: plan.run.map(({ name }) => name) });
  }
  const gatesBegan = clock.now();
  const { tested, ...ran } = await runDecidingGates(
    context,
    plan.run,
    { ...seen, series },
    { claim, folder: begun.folder },
  );
  const gatesEnded = clock.now();
  const gates = [
    ...ran.gates,
    ...plan.skipped.map(({ name, reason }) => notRun(name, { kind: 'skipped', reason })),
    ...plan.unknown.map((name) =>
      notRun(name, { kind: 'tool_missing', tool: `a gate "${name}" in [gates] commands` }),
    ),
  ];
  const { patch } = attempted;
  const gated = {
    ...seen,
    credentials: plantedCredentials({
      ...{ patch, whole, series: seen.taskState.series, commits: attempted.commits },
    }),
    end: interruptedByYou(seen.end, ports.stop.reason()),
    ...ran,
    ...{ series, fileFacts, criteria, gates },
    proof: null,
    prover: wrote === null ? null : { wrote, ruled: null },
    mutants: null,
    head: seen.changes.after.head,
    operation: work.git.operation(),
    endedAt: clock.now(),
    ...{ ownFindings: [], handled: [], workflow: null },
  };
  const reviewed = reviewedWork(gated, patch, whole);
  const changedPaths = (series?.changes ?? seen.changes).changes.map(({ path }) => path);
  const tests = await git.texts(seen.changes.after.tree, (path) => isTestOf(path, changedPaths), TEST_BYTES);
  const avoidance = reviewChanges(gated, reviewed, ports.store.state.human, tests);
  const started = await startedBy(context, series?.changes ?? seen.changes);
  const withAvoidance = { ...gated, avoidance, runsOnOpen: started };
  const proof = await proofOf(context, plan.run, { facts: withAvoidance, claim, tested });
  if (context.workflow !== null || context.prover !== null) {
    turn.leave();
    await enterPhase(context, seen.iteration, { phase: 'review', lands });
  }
  const beforeReview = await checkByProver(context, chosen, begun, { ...withAvoidance, proof }, tested);
  const { workflow, cutOff } = await checkPhase(context, chosen, { begun, planned }, beforeReview);
  const judged = {
    ...beforeReview,
    ...(workflow === null
      ? {}
      : { workflow, end: endAfterReview(seen.end, ports.stop.reason(), cutOff), endedAt: clock.now() }),
  };
  const facts = { ...judged, ...(await askHandlers(ports.handlers, judged)) };
  const decisions = decideIteration(facts, claim);
  const isDone = decisions.verdict.kind === 'done';
  const shown = { proof: decisions.proof, tested };
  const mutants = isDone ? await tryMutants(context, plan.run, facts, shown) : null;
  if (ran.gates.length > 0) emit(gatesFinished(decisions));
  return { facts: { ...facts, mutants }, tested, decisions, gatesBegan, gatesEnded };
}

/** What of a change runs without being asked for. */
async function startedBy({ ports: { git } }: LoopContext, change: ChangeSet): Promise<string[]> {
  const manifests = new Set(pathsOf(change).filter(isManifest));
  const textsIn = async ({ tree }: Snapshot) => {
    if (manifests.size === 0) return new Map<string, string>();
    const texts = await git.texts(tree, (path) => manifests.has(path), MANIFEST_BYTES);
    return new Map(texts.map(({ path, text }) => [path, text]));
  };
  const [before, after] = [await textsIn(change.before), await textsIn(change.after)];
  return runsOnOpen(change.changes, { before, after });
}

/** What the task's attempts changed since the series began, with its diff; of a single attempt its own. */
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
 * What is looked at for avoided work: all that the task's attempts changed since the tree was verified, as what one of
 * them avoided stays avoided in the next. What you approved of it isn't looked at again.
 */
function reviewedWork(
  { changes: { before }, taskState: { series, decisions } }: Pick<IterationFacts, 'changes' | 'taskState'>,
  attempted: string,
  whole: string,
): string {
  const isAlone = series === null || series.tree === before.tree || decisions.approved.length > 0;
  return isAlone ? attempted : whole;
}

/** Where the task would be done by now, what shows that its gates say so. */
async function proofOf(
  context: LoopContext,
  specs: readonly GateSpec[],
  {
    facts,
    claim,
    tested,
  }: {
    readonly facts: IterationFacts;
    readonly claim: Claim;
    readonly tested: Tested | null;
  },
): Promise<IterationFacts['proof']> {
  if (context.config.proof.mode === 'off' || tested === null) return null;
  // Without a gate that ran, only checks say something.
  if (specs.length === 0 && facts.task.checks.length === 0 && checksOf(facts) === null) return null;
  if (judge(facts, claim).verdict.kind !== 'done') return null;
  const open = specs.filter(({ heldOut }) => heldOut === null);
  return prove(context, open, facts, tested);
}

function gatesFinished({ gateReport, testResults: results }: IterationDecisions) {
  return { kind: 'gates_finished' as const, judgements: gateReport.judgements, results };
}

/** Reviews that the budget cut off leave the attempt unjudged, too; its work stays. */
function endAfterReview(
  end: IterationFacts['end'],
  signal: string | null,
  cutOff: string | null,
): IterationFacts['end'] {
  if (cutOff !== null && end.kind === 'exited')
    return { kind: 'halted', why: 'budget_spent', message: cutOff };
  return interruptedByYou(end, signal);
}

/** Your stop while the gates ran leaves the attempt unjudged: it is interrupted, not failed. */
function interruptedByYou(end: IterationFacts['end'], signal: string | null): IterationFacts['end'] {
  return signal === null || end.kind !== 'exited' ? end : { kind: 'interrupted', signal, forced: false };
}
