export { isInstalled } from './is-installed.ts';
export { openProc } from './open-proc.ts';
export { findOrphans, type Orphan, reapOrphans } from './orphans.ts';
export { supervisionKind } from './shim-tool.ts';
