export { EXIT } from './ending.ts';
export { attemptTimeout, promptFor } from './prepare.ts';
export { countTasks, loadTasks, runLoop } from './run-loop.ts';
