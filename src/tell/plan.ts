import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { costText } from '../domain/policy.ts';

type Plan = {
  readonly by:
    | { readonly kind: 'plan'; readonly agent: string }
    | { readonly kind: 'split'; readonly task_id: string }
    | { readonly kind: 'attempt'; readonly agent: string; readonly task_id: string };
  readonly tasks: readonly unknown[];
  readonly estimate: {
    /** Milliseconds; tasks without recorded attempts count with their limit. */
    readonly ms: number;
    /** Number of tasks that have an estimate of their time, and of their cost. */
    readonly timed: number;
    readonly costed: number;
    readonly usd: number | null;
    readonly tokens: number | null;
  };
};

/** Returns a text such as "3 tasks by claude". */
export function whosePlan({ by, tasks }: Pick<Plan, 'by' | 'tasks'>): string {
  const what = counted(tasks.length, 'task');
  if (by.kind === 'split') return `${what} in the place of ${by.task_id}`;
  return `${what} by ${by.agent}${by.kind === 'plan' ? '' : `, from ${by.task_id}`}`;
}

export function estimateText({ tasks, estimate }: Pick<Plan, 'tasks' | 'estimate'>): string {
  const { ms, timed, usd, tokens, costed } = estimate;
  const rest = tasks.length - timed;
  const basis =
    rest === 0
      ? 'by attempts so far'
      : timed === 0
        ? 'by the limits alone'
        : `${rest} of them by their limit`;
  const time = `Time: ${rest === 0 ? 'about' : 'up to'} ${formatDuration(ms)}, ${basis}.`;
  if (tokens === null) return `${time} Cost: no estimate yet.`;
  const money = usd === null || usd === 0 ? '' : `, ${costText(usd, 'usd')}`;
  const known = costed === tasks.length ? '' : ` (${costed} of ${tasks.length} tasks)`;
  return `${time} Cost: about ${costText(tokens, 'tokens')}${money}${known}.`;
}
