export type { KeptSignIn } from './agent-home.ts';
export type { RefusedHost } from './box-options.ts';
export { boxLine, detectBox, networkProblem } from './detect.ts';
export { fileWithNames, gitFoldersIn, linkInPlace } from './gather.ts';
export { HOMES_OF_COPY } from './inside.ts';
export { layersProblem } from './layers.ts';
export { boxAround, isBoxedOff, noteRefused } from './notes.ts';
export { type Box, boxFolderOf, boxOf, openBox, pruneBoxes } from './open-box.ts';
export { probeBox, type Tried } from './probe.ts';
