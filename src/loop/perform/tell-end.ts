import type { Notification } from '../../domain/ports.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { counted } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import type { LoopContext } from '../context.ts';
import { tellPeople } from './tell-people.ts';

/** Tasks that the text names of each kind. */
const NAMED = 10;

/** The report of a run that ended in order, with its exit code. */
type EndedRun = RunReport & { readonly exitCode: number };

/** Notifies you that the run is over: how, what is done, and what to run next. */
export async function tellEnd(context: LoopContext, result: EndedRun): Promise<void> {
  if (!context.notifyEnd) return;
  await tellPeople(context, context.ports.store.state.counters.iteration, endNotification(result));
}

/** What is sent at the end of a run. */
export function endNotification(result: EndedRun): Omit<Notification, 'at' | 'run'> {
  const { ending, exitCode, reason, tasks, doneInRun, unfinished, iterations, durationMs } = result;
  const counts = [
    `${tasks.done} of ${counted(tasks.total, 'task')} done`,
    ...(tasks.unverified > 0 ? [`${tasks.unverified} ticked, not verified`] : []),
    ...(tasks.blocked > 0 ? [`${tasks.blocked} blocked`] : []),
    ...(tasks.open > 0 ? [`${tasks.open} open`] : []),
  ].join(', ');
  const { push } = result;
  const problem = push?.problem ?? null;
  const text = [
    reason,
    `${counts}; ${counted(iterations, 'iteration')} in ${formatDuration(durationMs)}. Exit code ${exitCode}.`,
    ...(problem === null ? [] : [`Push to ${push?.remote}/${push?.branch}: ${problem.reason}`]),
    ...listed(
      'Done in this run:',
      doneInRun.map(({ id, title }) => `${id} ${title}`),
    ),
    ...listed(
      'Not done:',
      unfinished.map(({ id, title, why, failing, sameAs: [first] }) => {
        const error = first === undefined ? (failing?.lines ?? []) : [`the same error as ${first}`];
        return [`${id} ${title}: ${why}`, ...error.map((line) => `    ${line}`)].join('\n');
      }),
    ),
  ].join('\n');
  return {
    kind: 'run_finished',
    ...{ taskId: null, incident: null },
    severity: exitCode === 0 ? 'info' : 'warning',
    title: `${counts}. ${reason.split('\n')[0] ?? ''}`,
    text,
    next: [...result.next, ...(problem?.next == null ? [] : [problem.next])],
    result: { ending, exitCode, tasks, iterations, durationMs },
  };
}

function listed(head: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > NAMED ? [`  and ${lines.length - NAMED} more`] : [];
  return ['', head, ...lines.slice(0, NAMED).map((line) => `  ${line}`), ...more];
}
