import { MARKED_IN_TRACKER } from '../../blocked/index.ts';
import type { AttemptSummary, TaskState } from '../../domain/state.ts';
import type { Task } from '../../domain/task.ts';
import { redact } from '../../lib/redact.ts';

/** A blocked task for the JSON of `ralph blocked`. */
export function blockedEntry(task: Task, state: TaskState, secrets: readonly string[]) {
  const record = state.blocked;
  const attempts = record?.attempts ?? [];
  return {
    id: task.id,
    title: task.title,
    reason: record?.reason ?? MARKED_IN_TRACKER,
    detail: record?.detail ?? 'marked as blocked in the task file',
    attempts: attempts.length,
    spent_ms: spentMs(attempts),
    at: record?.at ?? null,
    last_iteration: record?.iteration ?? null,
    outcomes: attempts.map((attempt) => ({
      iteration: attempt.iteration,
      agent: attempt.agent,
      verdict: attempt.verdict,
      cause: attempt.cause,
      duration_ms: attempt.durationMs,
      timeout_seconds: attempt.timeoutSeconds,
      files_changed: attempt.filesChanged,
      failed_gates: attempt.failedGates,
    })),
    output_tail: redact(record?.outputTail ?? '', secrets),
    failed_gate_tail: redact(record?.failedGateTail ?? '', secrets),
    /** Earlier series, each ended by an unblock. */
    history: state.history.map((series) => ({
      at: series.at,
      reason: series.reason,
      block_reason: series.blockReason,
      attempts: series.attempts.length,
      spent_ms: spentMs(series.attempts),
      strategy: series.strategy,
      automatic: series.automatic,
    })),
  };
}

function spentMs(attempts: readonly AttemptSummary[]): number {
  return attempts.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
