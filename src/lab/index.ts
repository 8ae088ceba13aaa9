export { ask, type LabQuestion } from './ask.ts';
export { isOutside, type Needs, needsOf, openCleanCopy, type Tested, testedBase } from './clean-copy.ts';
export { openLab } from './open-lab.ts';
export { LOCK_BYTES, setUpCopy, specOf } from './set-up.ts';
export { type GatePlace, noteNotRun, start as askThere, topIn } from './start.ts';
