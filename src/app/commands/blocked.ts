import { redact, secretsFromEnv } from 'ralph-kit/redact';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { workPlaceOf } from '../../domain/work-place.ts';
import { MARKED_IN_TRACKER, waitingForBlocked } from '../../respond/blocked/index.ts';
import { waitsForYou } from '../../tell/index.ts';
import { type DataOf, success } from '../result.ts';
import { type BlockedTask, blockedTasks } from '../setup/blocked-tasks.ts';
import { inTaskList, type ProjectInput } from '../setup/workspace.ts';

export type BlockedResult = DataOf<typeof blocked>;

/** Returns blocked tasks with reason and time spent; with `suggest`, also a suggested step for each. */
export function blocked(input: ProjectInput & { readonly suggest: boolean }) {
  const secrets = secretsFromEnv(process.env);
  return inTaskList(input, (list) =>
    success({
      blocked: blockedTasks(list).map((task) => ({
        ...entry(task, secrets),
        work: workPlaceOf(list.project.store.state, task.task.id),
        ...(input.suggest ? suggested(task) : {}),
      })),
      waiting: waitingForBlocked(list.tasks).map(({ id, title, waitsFor }) => ({
        id,
        title,
        reason: 'dependency_blocked',
        waits_for: waitsFor,
      })),
      needs_you: list.tasks.flatMap((task) => {
        const waits = waitsForYou(list.project.store.state, task);
        return waits === null ? [] : [{ id: task.id, title: task.title, ...waits }];
      }),
    }),
  );
}

function entry({ task, state, facts }: BlockedTask, secrets: readonly string[]) {
  const record = facts.blocked;
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
    /** Names and messages of what failed in the last attempt. */
    failing: attempts.at(-1)?.failing ?? null,
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
    /** Earlier series of attempts, each of which ended by an unblock. */
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

function suggested({ facts, suggestion }: BlockedTask) {
  const { strategy, reason, first, command, timeoutSeconds, agent } = suggestion;
  return {
    level: facts.level,
    suggestion: { strategy, reason, first, command, timeout_seconds: timeoutSeconds, agent },
  };
}

function spentMs(attempts: readonly AttemptSummary[]): number {
  return attempts.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
