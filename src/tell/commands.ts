import { shellQuote } from 'ralph-kit/shell-quote';
import { type Incidents, pausingIncident, resumeCommand } from '../domain/incident.ts';
import type { PolicyStop } from '../domain/policy.ts';
import { taskCommand } from '../domain/work-place.ts';
import { needsResume } from '../respond/table.ts';

export const RUN = 'ralph run';
export const RESUME = 'ralph resume';
/** Makes the first commit of a repository. */
export const FIRST_COMMIT = 'git add -A && git commit -m Start';

/** Returns the last line of a command that changed what runs work by. `next`: `null` where a run at work sees it. */
export function nextLine(next: string | null): string {
  return next === null ? 'The current run will pick it up.' : `Next: ${next}`;
}

/** Placeholder for your words in a command. */
export const YOUR_WORDS = '…';

export function answerCommand(taskId: string): string {
  return `${taskCommand('answer', taskId)} "${YOUR_WORDS}"`;
}

/** Returns the command that decides a request, such as `G-3`. */
export function decideCommand(request: string): string {
  return `ralph approvals decide ${request}`;
}

type Stopped = Incidents & { readonly policy: { readonly stop: PolicyStop | null } };

/**
 * Returns the command with which work continues. `ralph run` isn't it while it would be refused, or stopped at once.
 * @param stops Whether a policy would stop a run at its start, by the settings and tasks as they are now
 */
export function continueCommand(state: Stopped, stops: boolean): string {
  const incident = pausingIncident(state);
  if (incident !== null) return resumeCommand(incident.id);
  return stops || needsResume(state.policy.stop) ? RESUME : RUN;
}

/** Returns the command that shows an iteration's log, or only what made it fail. */
export function logCommand(iteration: number, hasFailing = false): string {
  return `ralph logs ${iteration}${hasFailing ? ' --failed' : ''}`;
}

export function unblockCommand(
  taskId: string,
  { timeoutSeconds, reason }: { readonly timeoutSeconds?: number; readonly reason?: string } = {},
): string {
  const options = [
    ...(timeoutSeconds === undefined ? [] : ['--timeout', String(timeoutSeconds)]),
    ...(reason === undefined ? [] : ['--reason', shellQuote(reason)]),
  ];
  return taskCommand('unblock', taskId, ...options);
}

/** Returns the `--task` option. An id that begins with a dash needs the form `--task=`. */
export function taskOption(taskId: string): string {
  return taskId.startsWith('-') ? `--task=${shellQuote(taskId)}` : `--task ${shellQuote(taskId)}`;
}

export function guideCommand(taskId: string, guidance: string): string {
  return `ralph feedback add ${taskOption(taskId)} ${shellQuote(guidance)}`;
}
