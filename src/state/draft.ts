import {
  isSameWorkplace,
  type State,
  type Workplace,
  type WorkplaceState,
  workplaceStateOf,
} from '../domain/records/state.ts';

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

export function get<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Replaces what changed at a workplace. */
export function putAtWorkplace(draft: Draft, workplace: Workplace, change: Partial<WorkplaceState>): void {
  const next = { ...workplaceStateOf(draft, workplace), ...change };
  const index = draft.workplaces.findIndex((one) => isSameWorkplace(one, workplace));
  draft.workplaces = index === -1 ? [...draft.workplaces, next] : draft.workplaces.with(index, next);
}
