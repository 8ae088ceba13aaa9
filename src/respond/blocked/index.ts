export { type Asked, answerCommand, askedAbout, askedOf, asksQuestion, YOUR_WORDS } from './asked.ts';
export { decideBlocked, isFailed } from './decide-blocked.ts';
export { MARKED_IN_TRACKER, selectBlocked } from './select-blocked.ts';
export {
  planAutoUnblock,
  suggestStrategy,
  taskOption,
  unblockCommand,
  unblockingOf,
} from './suggest-strategy.ts';
export { waitingForBlocked } from './waiting.ts';
