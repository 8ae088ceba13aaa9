import type { InterventionRecord } from '../domain/intervention.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import {
  isSameWorkplace,
  type State,
  type Workplace,
  type WorkplaceState,
  workplaceStateOf,
} from '../domain/records/state.ts';
import { own } from '../lib/own.ts';

/** Lists of the state are bounded, so that memory and documents do not grow with the length of the history. */
export const MAX_ATTEMPTS_PER_SERIES = 50;
/** Unblocked series kept per task. */
export const MAX_SERIES = 5;
export const MAX_RUNS = 100;
/** Twice what `events.json` lists; older events are in the journal's sealed segments. */
export const MAX_EVENTS = 2000;
export const MAX_FEEDBACK = 500;

/**
 * A state whose outer containers belong to one fold and may be changed in place; what they hold is shared with the
 * state before and is only ever replaced. So a fold of many records copies the containers once.
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

/** Sets an own key whatever its name: a task may be called `__proto__`. */
export function put<T>(record: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Replaces what changed at a workplace. */
export function putAtWorkplace(draft: Draft, workplace: Workplace, change: Partial<WorkplaceState>): void {
  const next = { ...workplaceStateOf(draft, workplace), ...change };
  const index = draft.workplaces.findIndex((one) => isSameWorkplace(one, workplace));
  draft.workplaces = index === -1 ? [...draft.workplaces, next] : draft.workplaces.with(index, next);
}

/** Adds events to the list and to the totals, and moves the counter of their ids on. */
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
