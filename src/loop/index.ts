export type { LoopContext } from './context.ts';
export { EXIT } from './ending.ts';
export { attemptTimeout, promptFor } from './prepare.ts';
export { countTasks, type LoopResult, loadTasks, runLoop } from './run-loop.ts';
