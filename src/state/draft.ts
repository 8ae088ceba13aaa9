import { own } from 'ralph-kit/own';
import type { InterventionRecord } from '../domain/intervention.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import {
  isSameWorkplace,
  type State,
  type Workplace,
  type WorkplaceState,
  workplaceStateOf,
} from '../domain/records/state.ts';

/**
 * Maximum number of attempts of a series in the state. Lists are bounded, so that memory and documents don't grow with
 * the history.
 */
export const MAX_ATTEMPTS_PER_SERIES = 50;
/** Maximum number of series per task that ended by an unblock. */
export const MAX_SERIES = 5;
export const MAX_RUNS = 100;
/**
 * Maximum number of events in the state: twice the number in `events.json`. Older events are in the journal's sealed
 * segments.
 */
export const MAX_EVENTS = 2000;
export const MAX_FEEDBACK = 500;

/**
 * The state while records are folded into it. Only the outer containers may be changed in place: their contents are
 * shared with earlier states and are replaced as a whole. So a fold of many records copies the containers once.
 */
export type Draft = State;

export function openDraft(state: State): Draft {
  return {
    ...state,
    counters: { ...state.counters },
    tasks: { ...state.tasks },
    spend: { ...state.spend },
    rememberedIds: state.rememberedIds,
    runs: [...state.runs],
    profiles: { ...state.profiles },
    events: [...state.events],
    eventTotals: {
      count: state.eventTotals.count,
      byType: { ...state.eventTotals.byType },
      bySeverity: { ...state.eventTotals.bySeverity },
    },
    feedback: [...state.feedback],
  };
}

/** Sets a key as an own property, because a task may be called `__proto__`. */
export function put<T>(record: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}

export function putAtWorkplace(draft: Draft, workplace: Workplace, change: Partial<WorkplaceState>): void {
  const next = { ...workplaceStateOf(draft, workplace), ...change };
  const index = draft.workplaces.findIndex((one) => isSameWorkplace(one, workplace));
  draft.workplaces = index === -1 ? [...draft.workplaces, next] : draft.workplaces.with(index, next);
}

export function addEvents(draft: Draft, events: readonly InterventionEvent[]): void {
  for (const event of events) {
    draft.events.push(event);
    const totals = draft.eventTotals;
    totals.count += 1;
    put(totals.byType, event.event_type, (own(totals.byType, event.event_type) ?? 0) + 1);
    put(totals.bySeverity, event.severity, (own(totals.bySeverity, event.severity) ?? 0) + 1);
    draft.counters.event = Math.max(draft.counters.event, eventNumber(event.id) ?? draft.counters.event + 1);
  }
}

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

/** Returns the N of an id `e-N`; `null` for other ids. */
function eventNumber(id: string): number | null {
  const match = /^e-(\d+)$/.exec(id);
  return match ? Number(match[1]) : null;
}
