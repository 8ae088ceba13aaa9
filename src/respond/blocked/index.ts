export { decideBlocked } from './decide-blocked.ts';
export { MARKED_IN_TRACKER, selectBlocked } from './select-blocked.ts';
export { waitingForBlocked } from './waiting.ts';
