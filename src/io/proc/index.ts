export { supervisionKind } from '../programs/launch/launch-with-shim.ts';
export type { LaunchRequest, TreeEnd } from '../programs/launch/running.ts';
export { agentsReach } from '../programs/start/agents-reach.ts';
export { isInstalled } from '../programs/start/resolve-executable.ts';
export { runShort, start } from '../programs/start/start-program.ts';
export { ancestry, environmentOf, processStart } from '../programs/table/ancestry.ts';
export { findOrphans, type Orphan, reapOrphans } from '../programs/table/orphans.ts';
export type { MainExit } from '../programs/table/signals.ts';
export { type LaunchAgent, openProc } from './open-proc.ts';
