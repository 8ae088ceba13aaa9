export { decideRecovery, ended, flakyGates, isLoop } from './decide-recovery.ts';
