/** Whether a gate can fail: a failing test beside an existing one. */
export { canaryBeside } from './canary-beside.ts';
export { isRedByCanary } from './is-red-by-canary.ts';
export { neighbours } from './neighbours.ts';
export { runnerOf } from './runner-of.ts';
