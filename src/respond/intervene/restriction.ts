import type { Limits } from '../../domain/intervention.ts';
import type { Task } from '../../domain/task.ts';
import { bullets } from '../../lib/markdown.ts';
import { limitLines } from './throttle.ts';

/** What holds for a task after `resume_with_limits`, until it is done; Markdown for its prompts. */
export function restrictionNotice(incident: string, limits: Limits, task: Pick<Task, 'acceptance'>): string {
  return [
    `**LIMITS**: an earlier attempt at this task was stopped (${incident}). Each of your actions is reviewed before it happens; an attempt that crosses a limit is ended.`,
    bullets([
      'Allowed are: reading, writing files of the project, and commands that only read or are gates. Everything else is denied: do not try it in another form.',
      ...limitLines(limits, task),
    ]),
  ].join('\n\n');
}
