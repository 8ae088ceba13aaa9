import type { InterventionEvent } from '../domain/event.ts';
import type { IncidentReport, IncidentSummary } from '../domain/incident.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { type Delivery, type Notification, StoreError } from '../domain/ports.ts';
import type { State } from '../domain/state.ts';
import { incidentReport } from '../intervene/index.ts';
import { type LoopContext, WORKER } from './context.ts';

export type OpenedIncident = { readonly incident: IncidentSummary; readonly report: IncidentReport };

/** The incident that follows from an iteration; `null` where none does. */
export function incidentOf(
  { run, secrets, home }: LoopContext,
  facts: IterationFacts,
  decisions: IterationDecisions,
  counters: State['counters'],
): OpenedIncident | null {
  const stop = decisions.interventions?.find(({ plan }) => plan.type === 'emergency_stop');
  if (stop === undefined) return null;
  const id = `INC-${(counters.incident ?? 0) + 1}`;
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
  { ports }: LoopContext,
  { incident, report }: OpenedIncident,
): Promise<void> {
  const { store, clock, emit, notify } = ports;
  const { id, summary } = incident;
  const path = `incidents/${id}.json`;
  try {
    store.writeDocument(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    // The stop itself is on record and holds.
    if (!(error instanceof StoreError)) throw error;
    emit({ kind: 'warning', message: `The report of ${id} could not be written: ${error.message}` });
  }
  emit({ kind: 'incident', id, summary, path: `.ralph/${path}` });
  const deliveries = await notify.send(notificationOf(incident, clock.now()));
  const failed = deliveries.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const names = failed.map(({ channel, error }) => `${channel} (${error ?? 'no reason given'})`).join(', ');
  emit({ kind: 'warning', message: `The notification of ${id} did not get through: ${names}.` });
  store.commit(({ counters }) => [
    {
      type: 'events_added',
      events: failed.map((one, index) =>
        failureEvent(one, incident, `e-${counters.event + 1 + index}`, clock.now()),
      ),
    },
  ]);
}

function notificationOf(incident: IncidentSummary, at: string): Notification {
  const { id, run, taskId, summary } = incident;
  return {
    kind: 'emergency_stop',
    at,
    run,
    taskId,
    incident: id,
    severity: 'critical',
    title: `ralph: emergency stop ${id} at task ${taskId}`,
    text: summary,
    next: [`ralph incidents show ${id}`, `ralph resume ${id}`],
  };
}

function failureEvent(
  { channel, tries, error }: Delivery,
  { id: incident, run, iteration, taskId }: IncidentSummary,
  id: string,
  timestamp: string,
): InterventionEvent {
  return {
    id,
    iteration,
    run,
    worker: WORKER,
    event_type: 'notification_failed',
    timestamp,
    severity: 'warning',
    details: { task_id: taskId, incident, channel, tries, error },
    remediation_attempted: false,
  };
}
