import type { InterventionEvent } from '../domain/records/event.ts';
import type { JournalBody } from '../domain/records/journal.ts';

/** What an entry of the journal adds to `events.json`. An import lays what it brings over what is there (`fold.ts`). */
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
