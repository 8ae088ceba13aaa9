import { onOneLine } from 'ralph-kit/text';
import type { Watched } from '../../app/commands/watch.ts';
import { resumeCommand } from '../../domain/incident.ts';
import { clockTime, cutOffText, limitText } from '../../tell/index.ts';
import { isCutOff, runState } from './tasks.ts';

/**
 * Returns a line for each change between two readings of a repository. `before` `null`: lines for the current state.
 */
export function changesBetween(before: Watched | null, now: Watched): string[] {
  if (before === null)
    return [
      nowLine(now),
      ...(isCutOff(now) ? [endLine(now)] : []),
      ...now.attempts.map(startedLine),
      ...waitingLines([], now),
    ].map(onOneLine);
  const ended = before.attempts.filter(
    ({ iteration }) => !now.attempts.some((one) => one.iteration === iteration),
  );
  const begun = now.attempts.filter(
    ({ iteration }) => !before.attempts.some((one) => one.iteration === iteration),
  );
  return [
    ...ended.map((attempt) => endedLine(attempt, now)),
    ...begun.map(startedLine),
    ...waitingLines(before.requests, now),
    ...now.incidents
      .filter(({ id }) => !before.incidents.some((one) => one.id === id))
      .map(({ id, task_id, summary }) => `${id} at ${task_id}: ${summary} (${resumeCommand(id)})`),
    ...(runState(now) === runState(before) ? [] : [endLine(now)]),
  ].map(onOneLine);
}

function nowLine(data: Watched): string {
  const { tasks } = data.status;
  return `${data.name}: ${runState(data)}, ${tasks.done} of ${tasks.total} tasks done`;
}

/** Returns the ending and the next command of the last run, which say more than that no run is active. */
function endLine(data: Watched): string {
  const { name, status, report } = data;
  if (status.running !== null || report === null) return `${name}: ${runState(data)}`;
  return `${name}: ${report.headline} Next: ${status.commands.join('   ')}`;
}

type Attempt = Watched['attempts'][number];

function startedLine({ task_id, title, attempt, agent, started_at, timeout_seconds }: Attempt): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${clockTime(started_at, new Date())} ${task_id} started${again} (${agent}, ${limitText(timeout_seconds)}): ${title}`;
}

function endedLine({ task_id, iteration }: Attempt, now: Watched): string {
  const { tasks } = now;
  const task = tasks.find(({ id }) => id === task_id);
  const tried = task?.tries.find((one) => one.iteration === iteration);
  if (task?.status === 'done') return `${task_id} done`;
  if (tried === undefined && isCutOff(now)) return cutOffText(iteration, task_id);
  const blocked = task?.status === 'blocked' ? '; it is blocked now' : '';
  return `${task_id} not done (#${iteration}): ${tried?.cause ?? task?.open?.why ?? 'see ralph logs'}${blocked}`;
}

function waitingLines(before: Watched['requests'], { requests }: Watched): string[] {
  return requests
    .filter(({ id }) => !before.some((one) => one.id === id))
    .map(({ id, task_id, why, action }) => `${task_id} waits for you at ${id}: ${action ?? why}`);
}
