import type { State } from '../domain/records/state.ts';
import { MAX_EVENTS } from './bounds.ts';
import { eventsDocument, type ViewOptions } from './views.ts';

const DAY_MS = 86_400_000;
/** Events over the limit that wait for each other, so that an archive holds more than one: a quarter, at least these. */
const MIN_BATCH = 50;

/** The oldest events as a document of their own, and how many they are. */
export type DueEvents = { readonly count: number; readonly content: string };

/**
 * The events that leave the list for the archive: those beyond `maxEvents`, once they are a batch, and those older
 * than `feedbackRotationDays`, once a day. `null`: none now.
 */
export function eventsToArchive(state: Pick<State, 'events'>, options: ViewOptions): DueEvents | null {
  const count = Math.max(overLimit(state.events.length, options.maxEvents), tooOld(state, options));
  if (count === 0) return null;
  const document = eventsDocument({ events: state.events.slice(0, count) }, count);
  return { count, content: `${JSON.stringify(document, null, 2)}\n` };
}

/** The fold drops what is over its own bound, so the archive comes well before that. */
function overLimit(length: number, maxEvents: number): number {
  const keep = Math.min(Math.max(maxEvents, 0), Math.floor(MAX_EVENTS * 0.75));
  const batch = Math.max(MIN_BATCH, Math.floor(keep / 4));
  return length >= keep + batch ? length - keep : 0;
}

/** An event without a readable time counts as old: in the archive it is as safe. */
function tooOld({ events }: Pick<State, 'events'>, options: ViewOptions): number {
  const limit = Date.parse(options.now) - options.feedbackRotationDays * DAY_MS;
  const isBefore = (time: string, moment: number) => !(Date.parse(time) >= moment);
  const first = events[0];
  if (first === undefined || !isBefore(first.timestamp, limit - DAY_MS)) return 0;
  const kept = events.findIndex((event) => !isBefore(event.timestamp, limit));
  return kept === -1 ? events.length : kept;
}
