import {
  finishedRecord,
  gateRecords,
  incidentOf,
  iterationRecord,
  iterationSpan,
  type OpenedIncident,
} from '../../decide/index.ts';
import { redOnLineIn } from '../../domain/command-runs.ts';
import { addCost, NO_COST } from '../../domain/policy.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import type { State } from '../../domain/records/state.ts';
import { allSpend, costOf, spentOf } from '../../domain/spend.ts';
import { VERDICT_COUNTING } from '../../domain/verdict.ts';
import { wholeLines } from '../../lib/text.ts';
import { hasBudget, spentUntil } from '../../respond/policy/index.ts';
import type { LoopContext } from '../context.ts';
import { type Prepared, prepareWork } from '../perform/land-work.ts';
import { perform } from '../perform/perform.ts';
import type { Begun } from '../start/begin.ts';
import type { Chosen, IterationOutcome } from '../start/chosen.ts';
import type { Turn } from '../turns.ts';
import { hookLost } from '../watch/review-session.ts';
import type { Attempted } from './attempt.ts';
import type { Judged } from './judge.ts';

/** The record first, then what follows from it in the tracker, in the views and in git. */
export async function settleIteration(
  context: LoopContext,
  chosen: Chosen,
  begun: Begun,
  attempted: Attempted,
  judged: Judged & { readonly turn: Turn },
): Promise<Omit<IterationOutcome, 'took'>> {
  const { store, clock, telemetry } = context.ports;
  const { facts, decisions } = judged;
  const recordSha256 = writeDocuments(context, begun.path, attempted, judged);
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
  // What it was tested on may not be the newest any more: it is tested again then, and lands alone.
  if (isDone || redOnLineIn(facts).length > 0) await judged.turn.back();
  await perform(context, { facts, decisions, prepared, incident, folder: begun.folder });
  telemetry.iteration(iterationSpan({ ...judged, agentEnded, decidedAt, to: clock.now() }), store.state);
  return {
    decisions,
    hookLost: hookLost(chosen.review, facts.review),
    stop: pauseOf(facts, decisions),
  };
}

/** What the work may cost, and has cost with this iteration; `null`: there is no limit. */
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

/** A shadow of the whole workflow came back: the run ends here and reports. `null`: none did. */
function pauseOf({ iteration, task }: Judged['facts'], { workflow }: Judged['decisions']): RunStop | null {
  if (workflow === null || workflow.pause === null) return null;
  const message = `Paused after iteration ${iteration} of ${task.id}: ${workflow.pause} ralph interventions shows it.`;
  return { kind: 'workflow', message };
}

/** Characters of an attempt's diff that are kept as `changes.patch`. */
const MOST_KEPT = 1_000_000;

/** Writes the files of the iteration; the hash of its record's bytes. */
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

/** The iteration in the journal, together with the incident that follows from it; `null` where none does. */
function recordFinish(
  context: LoopContext,
  { facts, decisions }: Judged,
  recordSha256: string,
): OpenedIncident | null {
  let incident: OpenedIncident | null = null;
  context.ports.store.commit((state) => {
    incident = incidentOf(context, facts, decisions, state);
    const finished = finishedRecord({
      ...{ facts, decisions, specs: context.gates, recordSha256 },
      lastEvent: state.counters.event,
      lastRecovery: state.counters.recovery,
      budget: budgetAfter(context, { facts, decisions }, state),
    });
    const gates = gateRecords(facts, decisions, state.human, context.ports.ids.sha256);
    return incident === null
      ? [finished, ...gates]
      : [finished, { type: 'incident_opened', incident: incident.incident }, ...gates];
  });
  return incident;
}
