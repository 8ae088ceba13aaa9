export { taskOption, unblockCommand } from './commands.ts';
export { decideBlocked } from './decide-blocked.ts';
export { planAutoUnblock, unblockingOf } from './plan-unblocking.ts';
export { MARKED_IN_TRACKER, selectBlocked } from './select-blocked.ts';
export { suggestStrategy } from './suggest-strategy.ts';
export { waitingForBlocked } from './waiting.ts';
