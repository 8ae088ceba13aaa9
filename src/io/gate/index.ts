export { openGate, pruneGates } from './open-gate.ts';
