import { EMPTY_TASK } from 'ralph-task-lists/task';
import * as z from 'zod/mini';
import type { AdaptiveTimeout } from '../../../src/decide/timing/index.ts';
import { Config } from '../../../src/domain/config.ts';
import { type AttemptSummary, EMPTY_TASK_STATE, type TaskState } from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import { attemptSummary } from '../../helpers/facts.ts';

/** `[adaptive_timeout]` with its defaults, as the configuration reads it. */
export function settingsOf(table: Record<string, unknown> = {}): AdaptiveTimeout {
  return z.parse(Config, { adaptive_timeout: table }).adaptive_timeout;
}

export function taskOf(title: string, more: Partial<Task> = {}): Task {
  return { ...EMPTY_TASK, id: 't', title, ...more };
}

/** Returns the state after a series of attempts with these verdicts. */
export function stateAfter(verdicts: readonly VerdictKind[], more: Partial<TaskState> = {}): TaskState {
  const attempts = verdicts.map(
    (verdict, index): AttemptSummary =>
      attemptSummary({ iteration: index + 1, agent: 'a', verdict, filesChanged: 0 }),
  );
  return { ...EMPTY_TASK_STATE, attempts, ...more };
}
