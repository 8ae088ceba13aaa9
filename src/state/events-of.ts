import type { InterventionEvent } from '../domain/records/event.ts';
import type { JournalBody } from '../domain/records/journal.ts';

/**
 * Returns the events that a record adds. Those of an import aren't included, because `fold.ts` merges them with the
 * known ones.
 */
export function eventsOf(entry: JournalBody): readonly InterventionEvent[] {
  switch (entry.type) {
    case 'iteration_finished':
    case 'events_added':
      return entry.events;
    case 'policy_stopped':
      return entry.event === null ? [] : [entry.event];
    default:
      return [];
  }
}
