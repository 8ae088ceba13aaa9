/** Lists of the state are bounded, so that memory and documents do not grow with the length of the history. */
export const MAX_ATTEMPTS_PER_SERIES = 50;
/** Unblocked series kept per task. */
export const MAX_SERIES = 5;
export const MAX_RUNS = 100;
/** Twice the default of `[interventions] max_events`; older events are in the journal's sealed segments. */
export const MAX_EVENTS = 2000;
export const MAX_FEEDBACK = 500;
