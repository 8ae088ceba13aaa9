import { type StatusResult, status } from '../../app/commands/status.ts';
import { type Terminal, withLocalTimes } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { firstFew } from '../../lib/text.ts';
import type { Call } from '../call.ts';
import { eventTable } from '../render/events.ts';
import { unavailableText } from '../render/unavailable.ts';
import { limitText, words } from '../render/words.ts';

export async function run(call: Call) {
  await call.print(await status(call), statusText);
}

/** `ralph status` */
export function statusText(data: StatusResult, terminal: Terminal): string {
  const { tracker, tasks, incident, running } = data;
  const { style, para } = terminal;
  const blocked = tasks.blocked > 0 ? `, ${style.red(`${tasks.blocked} blocked`)}` : '';
  const lines = [
    `${style.bold(tracker)}: ${tasks.done} of ${tasks.total} done, ${tasks.open} open${blocked}`,
  ];
  if (incident !== null) {
    const { id, task_id, summary } = incident;
    lines.push(
      style.red(`■ Emergency stop ${id} at ${task_id}: runs are paused until you resolve it.`),
      para(summary, '  '),
      `  ralph resume ${id}`,
    );
  }
  for (const { task_id, why, incident, recovery } of data.parked) {
    const reason = why === null ? '' : `: ${why}`;
    lines.push(
      style.yellow(para(`${task_id} is waiting for you${reason}`, '! ')),
      ...recovery.map((step, at) => para(step, `  ${at + 1}. `)),
      `  ${incident === null ? `ralph unblock ${shellQuote(task_id)}` : `ralph resume ${incident}`}`,
    );
  }
  lines.push(...unverifiedLines(data, terminal));
  lines.push(
    running === null
      ? 'No run is active.'
      : `Running: ${running.run} (process ${running.pid} on ${running.host})`,
    ...askedLines(data, terminal),
    ...taskLines(data, terminal),
    ...lastRunLines(data),
  );
  for (const { agent, ...unavailable } of data.unavailable) {
    lines.push(
      style.yellow(para(unavailableText(agent, unavailable), '! ')),
      style.dim(`  to try it now: ralph profile --agent ${agent} --reinstate`),
    );
  }
  if (data.events.length > 0) lines.push('', eventTable(data.events, terminal));
  return lines.join('\n');
}

/** Tasks that a line names. */
const NAMED = 10;

function unverifiedLines({ unverified }: StatusResult, { style, para }: Terminal): string[] {
  if (unverified.length === 0) return [];
  const ids = unverified.map(({ task_id }) => shellQuote(task_id));
  const named = firstFew(ids, NAMED);
  return [
    style.yellow(para(`Ticked, but neither verified nor in a commit of yours: ${named}`, '! ')),
    `  ralph tasks accept ${ids.length > NAMED ? '--all' : ids.join(' ')}`,
  ];
}

/** What you asked of the run that is active. */
function askedLines({ running, current }: StatusResult, { style, para }: Terminal): string[] {
  if (running === null) return [];
  const after = current === null ? 'now' : 'after this attempt';
  if (running.stopping) return [style.yellow(`  ends ${after} (ralph stop)`)];
  if (running.paused_since === null) return [];
  const since = withLocalTimes(running.paused_since, new Date());
  const state = current === null ? 'Paused' : 'Pauses after this attempt; asked';
  return [style.yellow(para(`${state} since ${since}: ralph continue`, '  '))];
}

/** The task that is running, else the one that is next. */
function taskLines({ current, next }: StatusResult, { style, para }: Terminal): string[] {
  if (current !== null) {
    const { iteration, task_id, title, agent, started_at, timeout_seconds } = current;
    const since = withLocalTimes(started_at, new Date());
    return [
      `  #${iteration} ${task_id} ${title}`,
      `  ${agent} since ${since}, ${limitText(timeout_seconds)}`,
    ];
  }
  if (next === null) return [];
  const { task_id, title, why, timeout_seconds } = next;
  return [
    `Next: ${style.bold(task_id)} ${title}`,
    style.dim(para(`${why}; ${limitText(timeout_seconds)}`, '  ')),
  ];
}

function lastRunLines({ last_run: last, running }: StatusResult): string[] {
  if (last === null || last.run === running?.run) return [];
  const ending = last.ending === null ? 'not finished' : words(last.ending);
  const iterations = counted(last.iterations, 'iteration');
  return [`Last run: ${last.run}, ${ending}, ${iterations}, agent ${last.agent}`];
}
