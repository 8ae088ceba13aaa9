import { ladderOf } from '../../domain/findings/index.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { streamIssues } from '../../proof/findings/index.ts';
import { streamCorrection } from '../../respond/intervene/index.ts';

type Known = Pick<IterationFacts, 'task' | 'taskState' | 'settings'>;

/**
 * What is said to the running agent about an issue that shows while it works (`[interventions] mid_stream`); `null`
 * where it is not the first time on this task, or the gentlest answer is another one: then the end is waited for.
 */
export function correctionFor(
  issue: ReturnType<typeof streamIssues>[number],
  { task, taskState, settings }: Known,
): string | null {
  const soft = settings.interventions.soft_correction;
  if (!settings.interventions.enabled || !soft.enabled) return null;
  if (ladderOf(issue)[0] !== 'soft_correction') return null;
  const earlier = taskState.interventions;
  if (earlier.some((one) => one.issue === issue.type || one.also.includes(issue.type))) return null;
  const used = earlier.filter(({ type }) => type === 'soft_correction').length;
  if (soft.max_attempts > 0 && used >= soft.max_attempts) return null;
  return streamCorrection(issue, task);
}
