import type { ChoiceFacts } from '../../domain/records/choice.ts';
import { NO_REVIEWS } from '../../lib/actions/review-record.ts';
import type { Attempted } from '../iteration/attempt.ts';
import type { SeenWork } from '../iteration/examine.ts';

type Attempt = Omit<Attempted['facts'], 'changes' | 'idleChanges' | 'gateSources'> &
  Pick<SeenWork, 'agent' | 'series' | 'waitedMs' | 'prover'>;

/** What is seen of an attempt where there was none. */
export const NO_ATTEMPT: Attempt = {
  ...{ agent: 'verify', checkpoints: [], sessionUsage: [], errorTail: '', guidance: [], tampering: [] },
  end: { kind: 'exited', code: 0 },
  durationMs: 0,
  report: {
    ...{ sessionId: null, model: null, finalMessage: '', usage: [], toolCalls: 0, writeCalls: 0 },
    ...{ ok: true, infrastructure: null, errors: [] },
  },
  review: {
    ...{ mode: 'off', why: '', proven: false, numbers: NO_REVIEWS, allowed: 0, denied: 0, harmless: 0 },
    ...{ blocked: [], unreviewed: null, waiting: [], failedRules: [], left: [] },
    log: { lines: 0, sha256: '' },
  },
  observed: {
    ...{ actions: [], actionCount: 0, fileOperations: 0, errors: [], writes: null, results: [] },
    ...{ samples: [], corrections: [] },
  },
  resources: { fileOperations: 0, memoryMb: 0, tokens: 0, durationMs: 0 },
  ...{ series: null, waitedMs: 0, prover: null },
};

/** The choice of a task where nothing was chosen. */
export const NOTHING_CHOSEN: Omit<ChoiceFacts, 'only' | 'policy'> = {
  ...{ seq: 0, tasks: '', statuses: [], asked: [], among: null, autoUnblocked: [] },
  availability: { agents: [], now: '', maxWaitSeconds: 0, runUntil: null },
  ...{ waits: [], checkpoints: [], reconciled: [], incident: null, waiting: [], signal: null },
  control: { stop: null, pausedAt: null, stoppedWorkers: [] },
  ...{ iterations: 0, maxIterations: 1, idleIterations: 0, noProgressLimit: 0 },
  ...{ first: [], freeWorkers: 1, workers: { working: [], held: [] } },
};
