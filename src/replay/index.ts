export type { StoredDocument } from './checks.ts';
export { type RecordedRun, type Replay, replayRun } from './replay-run.ts';
