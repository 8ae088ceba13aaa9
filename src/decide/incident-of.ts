import type { IncidentReport, IncidentSummary } from '../domain/incident.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import type { State } from '../domain/records/state.ts';
import { type IncidentInput, incidentReport } from '../respond/intervene/index.ts';

export type OpenedIncident = { readonly incident: IncidentSummary; readonly report: IncidentReport };

/** The incident that follows from an iteration; `null` where none does. */
export function incidentOf(
  { secrets, home }: Pick<IncidentInput, 'secrets' | 'home'>,
  facts: IterationFacts,
  decisions: IterationDecisions,
  { counters, events }: Pick<State, 'counters' | 'events'>,
): OpenedIncident | null {
  const stop = decisions.interventions.find(({ plan }) => plan.type === 'emergency_stop');
  if (stop?.plan.type !== 'emergency_stop') return null;
  const id = `INC-${counters.incident + 1}`;
  const { issue, severity } = stop.record;
  const { scope } = stop.plan;
  const { run, iteration, task, endedAt: at } = facts;
  const refused = events.filter(
    (event) => event.event_type === 'command_refused' && event.run === run && event.iteration === iteration,
  );
  const report = incidentReport({ id, facts, decisions, stop, refused, secrets, home });
  const { summary } = report;
  const incident = {
    id,
    at,
    run,
    iteration,
    taskId: task.id,
    issue,
    severity,
    summary,
    scope,
    resolved: null,
  };
  return { incident, report };
}
