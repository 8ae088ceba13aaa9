export type { KeptSignIn } from './agent-home.ts';
export { boxLine, detectBox } from './detect.ts';
export { fileWithNames, linkInPlace } from './gather.ts';
export { hasLayers, layersProblem } from './layers.ts';
export { boxAround, isBoxedOff, noteRefused } from './notes.ts';
export { type Box, boxFolderOf, boxOf, openBox, pruneBoxes } from './open-box.ts';
export { probeBox, type Tried } from './probe.ts';
