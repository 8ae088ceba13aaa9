export type { KeptSignIn } from './agent-home.ts';
export { boxLine, detectBox, networkProblem } from './detect.ts';
export { fileWithNames, linkInPlace } from './gather.ts';
export { hasLayers, layersProblem } from './layers.ts';
export { boxAround, isBoxedOff, noteRefused } from './notes.ts';
export { type Box, boxFolderOf, boxOf, openBox, pruneBoxes, type RefusedHost } from './open-box.ts';
export { probeBox, type Tried } from './probe.ts';
