import { wholeLines } from 'ralph-kit/text';
import {
  finishedRecord,
  gateRecords,
  incidentOf,
  iterationRecord,
  iterationSpans,
  type OpenedIncident,
} from '../../decide/index.ts';
import { runsRedOnLine } from '../../domain/command-runs.ts';
import { addCost, hasBudget, NO_COST, spentUntil } from '../../domain/policy.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import type { State } from '../../domain/records/state.ts';
import { allSpend, costOf, spentOf } from '../../domain/spend.ts';
import { VERDICT_COUNTING } from '../../domain/verdict.ts';
import type { LoopContext } from '../context.ts';
import { type Prepared, prepareWork } from '../perform/land-work.ts';
import { perform } from '../perform/perform.ts';
import type { StartedIteration } from '../start/begin.ts';
import type { Chosen, IterationOutcome } from '../start/chosen.ts';
import type { Turn } from '../turns.ts';
import { hookLost } from '../watch/review-session.ts';
import type { Attempted } from './attempt.ts';
import type { Judged } from './judge.ts';

export async function settleIteration(
  context: LoopContext,
  chosen: Chosen,
  started: StartedIteration,
  attempted: Attempted,
  judged: Judged & { readonly turn: Turn },
): Promise<Omit<IterationOutcome, 'took'>> {
  const { store, clock, ids, process } = context.ports;
  const { facts, decisions } = judged;
  const recordSha256 = writeDocuments(context, started.path, attempted, judged);
  const { agentEnded, hooks } = attempted;
  const { tested } = judged;
  const isDone = decisions.taskStatus === 'done';
  const prepared: Prepared = isDone
    ? await prepareWork(context, { facts, tested, hooks, grade: decisions.proof.grade })
    : { kind: 'nothing' };
  const decidedAt = clock.now();
  await store.unlocked();
  const incident = recordFinish(context, judged, recordSha256);
  context.ledgers.settle(facts.task.id);
  // If the line has moved since the test, the work is tested again, while no other work can land.
  if (isDone || runsRedOnLine(facts).length > 0) await judged.turn.retake();
  await perform(context, { facts, decisions, prepared, incident, folder: started.folder });
  const times = { ...judged, agentEnded, decidedAt, to: clock.now() };
  const { secrets } = context;
  context.spans.append(iterationSpans(times, { ids, version: process.version, secrets }));
  return {
    decisions,
    hookLost: hookLost(chosen.review, facts.review),
    stop: pauseOf(facts, decisions),
  };
}

/** Returns the limits of the budget and the costs with this iteration; `null`: no limit is set. */
function budgetAfter(
  { ports: { clock } }: LoopContext,
  { facts: { budget }, decisions }: Pick<Judged, 'facts' | 'decisions'>,
  { policy }: State,
) {
  const { limits } = budget;
  if (!hasBudget(limits)) return null;
  const outside = VERDICT_COUNTING[decisions.verdict.kind].infrastructure;
  const cost = { ...NO_COST, ...costOf(spentOf(allSpend(decisions))), iterations: outside ? -1 : 0 };
  return { limits, spent: addCost(spentUntil(policy.budget, clock.now()), cost) };
}

/** Returns why the run has to pause: a shadow (overdone strength) of the whole workflow came back. `null`: none did. */
function pauseOf({ iteration, task }: Judged['facts'], { workflow }: Judged['decisions']): RunStop | null {
  if (workflow === null || workflow.pause === null) return null;
  const message = `Paused after iteration ${iteration} of ${task.id}: ${workflow.pause} ralph interventions shows it.`;
  return { kind: 'workflow', message };
}

/** Maximum number of characters of an attempt's diff in `changes.patch`. */
const MOST_KEPT = 1_000_000;

/** Writes the iteration's documents. Returns the SHA-256 of `iteration.json`. */
function writeDocuments(
  { ports: { store, ids } }: LoopContext,
  path: string,
  { patch }: Attempted,
  { facts, decisions }: Judged,
): string {
  if (patch !== '') store.writeDocument(`${path}/changes.patch`, wholeLines(patch, MOST_KEPT));
  const text = `${JSON.stringify(iterationRecord(facts, decisions), null, 1)}\n`;
  store.writeDocument(`${path}/iteration.json`, text);
  return ids.sha256(text);
}

/** Records the end of the iteration. Returns the incident that it causes; `null`: none. */
function recordFinish(
  context: LoopContext,
  { facts, decisions }: Judged,
  recordSha256: string,
): OpenedIncident | null {
  let incident: OpenedIncident | null = null;
  context.ports.store.commit((state) => {
    incident = incidentOf(context, facts, decisions, state);
    const finished = finishedRecord({
      facts,
      decisions,
      specs: context.gates,
      recordSha256,
      lastEvent: state.counters.event,
      lastRecovery: state.counters.recovery,
      budget: budgetAfter(context, { facts, decisions }, state),
    });
    const gates = gateRecords(facts, decisions, state.human, context.ports.ids.sha256);
    return incident === null
      ? [finished, ...gates]
      : [
          finished,
          { type: 'incident_opened', incident: incident.incident, plan: incident.report.recovery_plan },
          ...gates,
        ];
  });
  return incident;
}
