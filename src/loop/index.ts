export { countTasks } from './count-tasks.ts';
export { EXIT, endingOfPick } from './ending.ts';
export { loadTasks } from './load-tasks.ts';
export { attemptTimeout, promptFor } from './prepare.ts';
export { type RecordedRun, type Replay, replayRun } from './replay.ts';
export type { Found } from './replay-checks.ts';
export { runLoop } from './run-loop.ts';
