export { ancestry, environmentOf, processStart } from './ancestry.ts';
export { type LaunchAgent, openProc } from './open-proc.ts';
