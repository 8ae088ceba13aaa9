import type { Notification } from '../../domain/ports.ts';
import { type Item, needItems, openItems } from '../../domain/report-items.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { workText } from '../../domain/work-place.ts';
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
  const { ending, exitCode, headline, counts, tasks, doneInRun, unfinished, iterations, durationMs } = result;
  const text = [
    headline,
    ...(headline.includes(counts) ? [] : [counts]),
    `${counted(iterations, 'iteration')} in ${formatDuration(durationMs)}. Exit code ${exitCode}.`,
    ...listed('Needs you:', needItems(result).map(itemText)),
    ...listed('Not done:', openItems(unfinished.filter(({ group }) => group !== 'you')).map(itemText)),
    ...listed(
      'Done in this run:',
      doneInRun.map(({ id, title }) => `${id} ${title}`),
    ),
  ].join('\n');
  return {
    kind: 'run_finished',
    ...{ taskId: null, incident: null },
    severity: exitCode === 0 ? 'info' : 'warning',
    title: headline.split('\n')[0] ?? '',
    text,
    next: result.next,
    result: { ending, exitCode, tasks, iterations, durationMs },
  };
}

function itemText({ tasks, cause, excerpt, work, commands }: Item): string {
  const heads = tasks.map(({ id, title }) => `${id} ${title}`);
  const below = [
    ...excerpt.map((line) => `  ${line}`),
    ...work.map((place) => workText(place) ?? ''),
    ...commands,
  ];
  return [...heads, cause, ...below]
    .map((line, at) => (at < heads.length ? line : `    ${line}`))
    .join('\n  ');
}

function listed(head: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > NAMED ? [`  and ${lines.length - NAMED} more`] : [];
  return ['', head, ...lines.slice(0, NAMED).map((line) => `  ${line}`), ...more];
}
