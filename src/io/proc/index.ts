export { isInstalled } from './is-installed.ts';
export { openProc } from './open-proc.ts';
export { supervisionKind } from './shim-tool.ts';
