import type { InterventionRecord } from '../domain/intervention.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import { type Draft, get, put } from './draft.ts';

/** Adds events to the list and to the totals, and moves the counter of their ids on. */
export function addEvents(draft: Draft, events: readonly InterventionEvent[]): void {
  for (const event of events) {
    draft.events.push(event);
    const totals = draft.eventTotals;
    totals.count += 1;
    put(totals.byType, event.event_type, (get(totals.byType, event.event_type) ?? 0) + 1);
    put(totals.bySeverity, event.severity, (get(totals.bySeverity, event.severity) ?? 0) + 1);
    draft.counters.event = Math.max(draft.counters.event, eventNumber(event.id) ?? draft.counters.event + 1);
  }
}

/** Writes to the events of interventions whether they helped, once that is known. */
export function foldOutcomes(draft: Draft, taskId: string, outcomes: readonly Outcome[]): void {
  for (const { type, issue, iteration, outcome } of outcomes) {
    const index = draft.events.findLastIndex(
      ({ event_type, iteration: of, details }) =>
        event_type === 'intervention_applied' &&
        of === iteration &&
        details.task_id === taskId &&
        details.intervention_type === type &&
        details.issue_type === issue,
    );
    const event = draft.events[index];
    if (event === undefined || outcome === null) continue;
    draft.events[index] = { ...event, details: { ...event.details, outcome } };
  }
}

type Outcome = Pick<InterventionRecord, 'type' | 'issue' | 'iteration' | 'outcome'>;

/** The N of an id `e-N`; `null` for an id of another form. */
function eventNumber(id: string): number | null {
  const match = /^e-(\d+)$/.exec(id);
  return match ? Number(match[1]) : null;
}
