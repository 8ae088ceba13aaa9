import type { IncidentReport, IncidentSummary } from '../domain/incident.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { StoreError } from '../domain/ports.ts';
import type { State } from '../domain/state.ts';
import { incidentReport } from '../intervene/index.ts';
import type { LoopContext } from './context.ts';
import { tellPeople } from './tell-people.ts';

export type OpenedIncident = { readonly incident: IncidentSummary; readonly report: IncidentReport };

/** The incident that follows from an iteration; `null` where none does. */
export function incidentOf(
  { run, secrets, home }: LoopContext,
  facts: IterationFacts,
  decisions: IterationDecisions,
  counters: State['counters'],
): OpenedIncident | null {
  const stop = decisions.interventions.find(({ plan }) => plan.type === 'emergency_stop');
  if (stop === undefined) return null;
  const id = `INC-${counters.incident + 1}`;
  const report = incidentReport({ id, facts, decisions, stop, secrets, home });
  const { issue, severity } = stop.record;
  const { iteration, task, endedAt: at } = facts;
  const { summary } = report;
  const incident = { id, at, run, iteration, taskId: task.id, issue, severity, summary, resolved: null };
  return { incident, report };
}

/**
 * Writes the report of an emergency stop that is on record, and tells the people who are not there. The run ends with
 * its next choice, as the incident is open.
 */
export async function announceIncident(
  context: LoopContext,
  { incident, report }: OpenedIncident,
): Promise<void> {
  const { store, emit } = context.ports;
  const { id, summary, taskId, iteration } = incident;
  const path = `incidents/${id}.json`;
  try {
    store.writeDocument(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    // The stop itself is on record and holds.
    if (!(error instanceof StoreError)) throw error;
    emit({ kind: 'warning', message: `The report of ${id} could not be written: ${error.message}` });
  }
  emit({ kind: 'incident', id, summary, path: `.ralph/${path}` });
  await tellPeople(context, iteration, {
    kind: 'emergency_stop',
    taskId,
    incident: id,
    severity: 'critical',
    title: `ralph: emergency stop ${id} at task ${taskId}`,
    text: summary,
    next: [`ralph incidents show ${id}`, `ralph resume ${id}`],
  });
}
