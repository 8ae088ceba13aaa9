import type { RanFacts } from '../../domain/fleet.ts';
import { NO_REVIEWS } from '../../lib/actions/review-record.ts';

/** What is seen of an attempt whose agent did not run. */
export const NO_AGENT_RAN: RanFacts = {
  ...{ sessionUsage: [], errorTail: '', guidance: [], tampering: [] },
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
};
