import type { InterventionEvent } from '../domain/event.ts';
import type { IncidentSummary } from '../domain/incident.ts';
import type { Intervention } from '../domain/intervention.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import type { Delivery, Notification } from '../domain/ports.ts';
import { incidentReport } from '../intervene/index.ts';
import { type LoopContext, WORKER } from './context.ts';

/**
 * Writes the report of an emergency stop, puts it on record, and tells the people who are not there. The run ends with
 * its next choice, as the incident is open.
 */
export async function openIncident(
  context: LoopContext,
  facts: IterationFacts,
  decisions: IterationDecisions,
  stop: Intervention,
): Promise<void> {
  const { ports, run, secrets, home } = context;
  const { store, clock, emit, notify } = ports;
  const { record } = stop;
  const id = `INC-${(store.state.counters.incident ?? 0) + 1}`;
  const report = incidentReport({ id, facts, decisions, stop, secrets, home });
  const path = `incidents/${id}.json`;
  store.writeDocument(path, `${JSON.stringify(report, null, 2)}\n`);
  const incident: IncidentSummary = {
    id,
    at: facts.endedAt,
    run,
    iteration: facts.iteration,
    taskId: facts.task.id,
    issue: record.issue,
    severity: record.severity,
    summary: report.summary,
    resolved: null,
  };
  store.commit(() => [{ type: 'incident_opened', incident }]);
  emit({ kind: 'incident', id, summary: report.summary, path: `.ralph/${path}` });
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
