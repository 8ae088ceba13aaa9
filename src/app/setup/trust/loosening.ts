import { loosensReview, type ReviewInForce } from 'ralph-actions/forms/task-review';
import type { Task } from '../../../domain/task.ts';

/** An attribute of a task that loosens a limit for this task, or that is run as a command. It needs your approval. */
export type Loosening = {
  readonly taskId: string;
  /** The attribute with its exact value: `Timeout: 18000 s`. */
  readonly text: string;
};

/** Limits that apply without such an attribute. */
type Limits = { readonly maxTimeoutSeconds: number; readonly review: ReviewInForce };

type Rule = {
  /** Returns the attribute's text; `null`: the task loosens nothing with it. */
  readonly text: (task: Task, limits: Limits) => string | null;
  /** Returns the task as if the attribute were missing. */
  readonly without: (task: Task, limits: Limits) => Task;
};

const RULES: readonly Rule[] = [
  {
    text: ({ timeoutSeconds }, { maxTimeoutSeconds }) =>
      timeoutSeconds !== null && timeoutSeconds > maxTimeoutSeconds ? `Timeout: ${timeoutSeconds} s` : null,
    without: (task, { maxTimeoutSeconds }) => ({ ...task, timeoutSeconds: maxTimeoutSeconds }),
  },
  {
    // An owner alone approves nothing.
    text: ({ owner, removalApprovedBy: by }) => (owner === null || by === null ? null : `Owner: ${owner}`),
    without: (task) => ({ ...task, owner: null }),
  },
  {
    text: ({ removalApprovedBy: by }) => (by === null ? null : `Removal approved by: ${by}`),
    without: (task) => ({ ...task, removalApprovedBy: null }),
  },
  {
    text: ({ review }, limits) =>
      review !== null && loosensReview(review, limits.review) ? `Review: ${review}` : null,
    without: (task) => ({ ...task, review: null }),
  },
  {
    text: ({ checks }) => (checks.length === 0 ? null : checks.map((one) => `Check: ${one}`).join('; ')),
    // Without its checks the task would be done too easily, so it has to wait.
    without: (task) => ({
      ...task,
      checks: [],
      problem: task.problem ?? 'its checks are commands that you have not accepted: ralph trust',
    }),
  },
];

/** Returns everything by which these tasks loosen limits. */
export function looseningsOf(tasks: readonly Task[], limits: Limits): Loosening[] {
  return tasks.flatMap((task) =>
    RULES.flatMap(({ text }) => {
      const found = text(task, limits);
      return found === null ? [] : [{ taskId: task.id, text: found }];
    }),
  );
}

/** Returns the tasks without unapproved attributes that loosen limits, and the removed attributes. */
export function removeUnapproved(
  tasks: readonly Task[],
  limits: Limits,
  isTrusted: (loosening: Loosening) => boolean,
): { readonly tasks: readonly Task[]; readonly removed: readonly Loosening[] } {
  const removed: Loosening[] = [];
  const kept = tasks.map((given) =>
    RULES.reduce((task, { text, without }) => {
      const found = text(task, limits);
      if (found === null) return task;
      const loosening = { taskId: task.id, text: found };
      if (isTrusted(loosening)) return task;
      removed.push(loosening);
      return without(task, limits);
    }, given),
  );
  return removed.length === 0 ? { tasks, removed } : { tasks: kept, removed };
}
