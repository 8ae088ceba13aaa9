export { openCoordinator } from './coordinator.ts';
export { keepLease } from './lease.ts';
export type {
  Coordinator,
  FleetGit,
  FleetRemote,
  LostAttempt,
  RecordFiles,
  Seal,
  Signed,
} from './protocol.ts';
export { askedBy, servesQueue, type WhyWaiting, whyWaiting } from './queues.ts';
export { openRemote } from './remote.ts';
export { type Begun, type Refused, workAtJob } from './worker.ts';
