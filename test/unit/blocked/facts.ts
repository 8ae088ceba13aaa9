import type { StrategyFacts } from '../../../src/domain/records/blocked.ts';
import type { AttemptSummary, BlockedRecord } from '../../../src/domain/records/state.ts';
import { attemptSummary } from '../../helpers/facts.ts';

export function attempt(more: Partial<AttemptSummary> = {}): AttemptSummary {
  return attemptSummary({
    run: 'r-1',
    iteration: 1,
    agent: 'claude',
    mode: 'speed',
    startedAt: '2026-01-20T10:00:00.000Z',
    durationMs: 120_000,
    timeoutSeconds: 120,
    verdict: 'gates_failed',
    cause: 'The last cause.',
    filesChanged: 1,
    failedGates: [],
    tree: 'tree',
    ...more,
  });
}

/** An attempt that ran into its time limit while it wrote. */
export const timedOut = (more: Partial<AttemptSummary> = {}) => attempt({ verdict: 'timed_out', ...more });
export const noFiles = attempt({ verdict: 'no_files', filesChanged: 0, durationMs: 5000 });
export const falseClaim = attempt({ verdict: 'false_completion', durationMs: 5000 });
export const gatesFailed = attempt();
export const error = (cause: string, more: Partial<AttemptSummary> = {}) =>
  attempt({ verdict: 'agent_error', cause, filesChanged: 0, durationMs: 1000, ...more });

export function blockedBy(
  reason: BlockedRecord['reason'],
  attempts: AttemptSummary[],
  more: Partial<BlockedRecord> = {},
): BlockedRecord {
  return {
    reason,
    detail: `${attempts.length} failed attempts.`,
    at: '2026-01-20T11:00:00.000Z',
    run: 'r-1',
    iteration: 3,
    attempts,
    outputTail: '',
    failedGateTail: '',
    ...more,
  };
}

export function facts(more: Partial<StrategyFacts> = {}): StrategyFacts {
  return {
    taskId: 'T-1',
    tracker: '.ralph/PRD.md',
    acceptance: [],
    met: [],
    blocked: blockedBy('gate_failed', [gatesFailed, gatesFailed, gatesFailed]),
    unblocks: 0,
    reviewAfter: 1,
    level: 'ui_heavy',
    levelDurationsMs: [],
    maxTimeoutSeconds: 3600,
    agents: [],
    log: 3,
    ...more,
  };
}
