import type { Task } from '../domain/task.ts';
import { loosensReview, type ReviewInForce } from '../lib/actions/task-review.ts';

/** What a task says of itself that loosens what holds for all tasks, or that is run; it takes your approval. */
export type Loosening = {
  readonly taskId: string;
  /** The attribute with its value, exactly: `Timeout: 18000 s`. */
  readonly text: string;
};

/** What is in force without such an attribute. */
type Limits = { readonly maxTimeoutSeconds: number; readonly review: ReviewInForce };

type Rule = {
  /** `null`: the task loosens nothing here. */
  readonly text: (task: Task, limits: Limits) => string | null;
  /** The task as if it were not said. */
  readonly without: (task: Task, limits: Limits) => Task;
};

const RULES: readonly Rule[] = [
  {
    text: ({ timeoutSeconds }, { maxTimeoutSeconds }) =>
      timeoutSeconds !== null && timeoutSeconds > maxTimeoutSeconds ? `Timeout: ${timeoutSeconds} s` : null,
    without: (task, { maxTimeoutSeconds }) => ({ ...task, timeoutSeconds: maxTimeoutSeconds }),
  },
  {
    text: ({ owner }) => (owner === null ? null : `Owner: ${owner}`),
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
    // Without its checks it would be done too easily, so it waits.
    without: (task) => ({
      ...task,
      checks: [],
      problem: task.problem ?? 'its checks are commands that you have not accepted: ralph trust',
    }),
  },
];

/** Everything by which these tasks loosen something. */
export function looseningsOf(tasks: readonly Task[], limits: Limits): Loosening[] {
  return tasks.flatMap((task) =>
    RULES.flatMap(({ text }) => {
      const found = text(task, limits);
      return found === null ? [] : [{ taskId: task.id, text: found }];
    }),
  );
}

/** The tasks without what loosens something and isn't trusted, and what that was. */
export function holdBack(
  tasks: readonly Task[],
  limits: Limits,
  isTrusted: (loosening: Loosening) => boolean,
): { readonly tasks: readonly Task[]; readonly held: readonly Loosening[] } {
  const held: Loosening[] = [];
  const kept = tasks.map((given) =>
    RULES.reduce((task, { text, without }) => {
      const found = text(task, limits);
      if (found === null) return task;
      const loosening = { taskId: task.id, text: found };
      if (isTrusted(loosening)) return task;
      held.push(loosening);
      return without(task, limits);
    }, given),
  );
  return held.length === 0 ? { tasks, held } : { tasks: kept, held };
}
