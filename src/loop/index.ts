export { countTasks } from './count-tasks.ts';
export { EXIT, endingOfPick } from './ending.ts';
export { attemptTimeout, promptFor } from './prepare.ts';
export { loadTasks, runLoop } from './run-loop.ts';
