export { agentsReach } from './launch/agents-reach.ts';
export { isInstalled } from './launch/resolve-executable.ts';
export type { Launch, LaunchRequest, MainExit, TreeEnd } from './launch/running.ts';
export { supervisionKind } from './launch/shim-tool.ts';
export { runShort, start } from './launch/start-program.ts';
export { type LaunchAgent, openProc } from './open-proc.ts';
export { ancestry, environmentOf, processStart } from './table/ancestry.ts';
export { findOrphans, type Orphan, reapOrphans } from './table/orphans.ts';
