export { openProc } from './open-proc.ts';
export { supervisionKind } from './shim-tool.ts';
