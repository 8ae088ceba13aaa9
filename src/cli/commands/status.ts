import { type StatusResult, status } from '../../app/commands/status.ts';
import { atWorkWords } from '../../domain/records/at-work.ts';
import { takenBackLines } from '../../domain/records/marks.ts';
import { type RunReport, UNVERIFIED } from '../../domain/run-report.ts';
import { workText } from '../../domain/work-place.ts';
import {
  budgetText,
  failingLines,
  notPushedOf,
  spentText,
  type Terminal,
  treeText,
  withLocalTimes,
} from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { camelKeys } from '../../lib/snake-keys.ts';
import { firstFew } from '../../lib/text.ts';
import type { Call } from '../call.ts';
import { storyText } from '../render/story.ts';
import { unavailableText } from '../render/unavailable.ts';
import { limitText } from '../render/words.ts';

export async function run(call: Call) {
  await call.print(await status(call), statusText);
}

/** `ralph status` */
export function statusText(data: StatusResult, terminal: Terminal): string {
  const { tracker, tasks, incident, running } = data;
  const { style, para } = terminal;
  const blocked = tasks.blocked > 0 ? `, ${style.red(`${tasks.blocked} blocked`)}` : '';
  const taken = takenBackLines(data.taken_back.map(({ task_id: taskId, mark }) => ({ taskId, mark })));
  const lines = [
    ...taken.map((line) => style.yellow(para(line, '! '))),
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
  lines.push(...policyLines(data, terminal));
  for (const { task_id, why, recovery, command } of data.parked) {
    const reason = why === null ? '' : `: ${why}`;
    lines.push(
      style.yellow(para(`${task_id} is waiting for you${reason}`, '! ')),
      ...recovery.map((step, at) => para(step, `  ${at + 1}. `)),
      `  ${command}`,
    );
  }
  lines.push(
    ...verifiedLines(data, terminal),
    ...unverifiedLines(data, terminal),
    ...problemLines(data, terminal),
    ...blockedLines(data, terminal),
  );
  lines.push(
    running === null
      ? 'No run is active.'
      : `Running: ${running.run} (process ${running.pid} on ${running.host})`,
    ...askedLines(data, terminal),
    ...taskLines(data, terminal),
    ...lastAttemptLines(data),
    ...lastRunLines(data, terminal),
  );
  for (const { agent, ...unavailable } of data.unavailable) {
    lines.push(
      style.yellow(para(unavailableText(agent, unavailable), '! ')),
      style.dim(`  to try it now: ralph profile --agent ${agent} --reinstate`),
    );
  }
  if (data.story.length > 0) {
    const story = data.story.map((entry) => storyText(entry, terminal));
    lines.push('', ...story, style.dim('  ralph interventions'));
  }
  return lines.join('\n');
}

/** The policy that stopped the runs, and what is spent of the budget. */
function policyLines(
  { policy_stop: stop, budget, running }: StatusResult,
  { style, para }: Terminal,
): string[] {
  const stopped =
    stop === null || running !== null
      ? []
      : [style.red(para(`Stopped by the ${stop.kind}: ${stop.reason}`, '■ ')), '  ralph resume'];
  if (budget === null) return stopped;
  const since = budget.since === null ? '' : `, since ${withLocalTimes(budget.since, new Date())}`;
  return [...stopped, para(`Budget: ${budgetText(budget.limits, budget.spent)}${since}`)];
}

/** Tasks that a line names. */
const NAMED = 10;

/** Results that wait for the same are one line. */
function verifiedLines({ verified }: StatusResult, { style, para }: Terminal): string[] {
  return [...new Set(verified.map(({ why }) => why))].flatMap((why) => {
    const same = verified.filter((one) => one.why === why);
    const [command, ...others] = new Set(same.map((one) => one.command));
    const ids = firstFew(
      same.map(({ task_id }) => task_id),
      NAMED,
    );
    return [
      style.yellow(para(`Verified, and not on your branch yet: ${ids} (${why})`, '! ')),
      `  ${others.length === 0 ? command : 'ralph land'}`,
    ];
  });
}

function unverifiedLines({ unverified }: StatusResult, { style, para }: Terminal): string[] {
  if (unverified.length === 0) return [];
  const ids = unverified.map(({ task_id }) => shellQuote(task_id));
  const named = firstFew(ids, NAMED);
  return [
    style.yellow(para(`Ticked, but ${UNVERIFIED}: ${named}`, '! ')),
    `  ralph tasks accept ${ids.length > NAMED ? '--all' : ids.join(' ')}`,
  ];
}

function problemLines({ problems }: StatusResult, { style, para }: Terminal): string[] {
  const lines = problems
    .slice(0, NAMED)
    .map(({ task_id, problem }) => style.yellow(para(`${task_id} can't be started: ${problem}`, '! ')));
  return problems.length === 0 ? [] : [...lines, '  ralph tasks'];
}

/** Blocked tasks that are named with their error. */
const BLOCKED_SHOWN = 5;

function blockedLines({ blocked }: StatusResult, terminal: Terminal): string[] {
  const { style, para } = terminal;
  if (blocked.length === 0) return [];
  const lines = blocked.slice(0, BLOCKED_SHOWN).flatMap(({ task_id, title, why, failing, work }) => {
    const place = workText(work);
    return [
      para(`${task_id} ${title}`, `${style.red('✖')} `, '  '),
      para(why, '  '),
      ...failingLines(failing, terminal, '  '),
      ...(place === null ? [] : [`  ${place}`]),
    ];
  });
  return [...lines, '  ralph blocked --suggest'];
}

/** What you asked of the run that is active. */
function askedLines({ running, current }: StatusResult, { style, para }: Terminal): string[] {
  if (running === null) return [];
  const after = current === null ? 'now' : 'after this attempt';
  if (running.stopping) return [style.yellow(`  ends ${after} (ralph stop)`)];
  if (running.paused_since === null) return [];
  // It is when you asked for it: the attempt that was running then was ended first.
  const asked = withLocalTimes(running.paused_since, new Date());
  const state = current === null ? 'Paused' : 'Pauses after this attempt';
  return [style.yellow(para(`${state}, asked for at ${asked}: ralph continue`, '  '))];
}

/** The tasks that are running, else the one that is next. */
function taskLines({ current, others, next }: StatusResult, { style, para }: Terminal): string[] {
  const running = current === null ? [] : [current, ...others];
  const lines = running.flatMap((one) => {
    const { iteration, task_id, title, agent, model, session_id, started_at, timeout_seconds } = one;
    const since = withLocalTimes(started_at, new Date());
    const who = others.length === 0 ? '' : `worker ${one.worker}: `;
    return [
      `  #${iteration} ${task_id} ${title}`,
      `  ${who}${agent} since ${since}, ${limitText(timeout_seconds)}`,
      ...phaseLine(one),
      ...whoLine(model, session_id),
    ];
  });
  if (lines.length > 0) return lines;
  if (next === null) return [];
  const { task_id, title, why, timeout_seconds } = next;
  return [
    `Next: ${style.bold(task_id)} ${title}`,
    style.dim(para(`${why}; ${limitText(timeout_seconds)}`, '  ')),
  ];
}

/** What follows once its agent is done. */
function phaseLine({ agent, phase, phase_since, place }: NonNullable<StatusResult['current']>): string[] {
  if (phase === 'agent') return [];
  return [`  ${atWorkWords({ agent, phase, place })} since ${withLocalTimes(phase_since, new Date())}`];
}

/** "  model claude-sonnet-4-5, session 31eefe21…": as far as the agent reports them. */
function whoLine(model: string | null, session: string | null): string[] {
  const parts = [
    ...(model === null ? [] : [`model ${model}`]),
    ...(session === null ? [] : [`session ${session}`]),
  ];
  return parts.length === 0 ? [] : [`  ${parts.join(', ')}`];
}

/** Who made the newest attempt, and what it used. */
function lastAttemptLines({ last_attempt: last }: StatusResult): string[] {
  if (last === null) return [];
  const { iteration, task_id, agent, model, session_id, tokens, cost_usd, estimated_usd } = last;
  const spent = { tokens, costUsd: cost_usd, estimatedUsd: estimated_usd };
  const used = tokens === 0 ? '' : `, ${spentText(spent)}`;
  return [`Last attempt: #${iteration} ${task_id}, ${agent}${used}`, ...whoLine(model, session_id)];
}

/** Endings whose reason says how the tasks stand. */
const NOTHING_TO_START: ReadonlySet<string | null> = new Set(['all_done', 'all_blocked', 'awaiting_human']);

/** The last run that did something, short: the whole of it is its report. */
function lastRunLines({ last_run: last, running, next }: StatusResult, { style, para }: Terminal): string[] {
  if (last === null || last.run === running?.run) return [];
  const { run, ended_at: at, reason, done_in_run: done, lies_caught: lies, false_claims: claims } = last;
  const how = last.ending === 'crashed' ? 'last heard of' : 'ended';
  const ended = at === null ? '' : `, ${how} ${withLocalTimes(at, new Date())}`;
  // A task that was unblocked or added since can start.
  const isPast = next !== null && NOTHING_TO_START.has(last.ending);
  const why = isPast ? '' : ` ${withLocalTimes(reason, new Date())}`;
  const parts = [
    `${counted(done.length, 'task')} done in ${counted(last.iterations, 'iteration')}`,
    ...(lies === 0
      ? []
      : [`${counted(lies, 'false claim')} caught (${firstFew(claims.map(({ task_id }) => task_id))})`]),
    ...(last.not_committed.length === 0
      ? []
      : [`${counted(last.not_committed.length, 'task')} not committed`]),
  ];
  const { tree, push } = camelKeys({ tree: last.tree, push: last.push }) as Pick<RunReport, 'tree' | 'push'>;
  const notPushed = notPushedOf({ push });
  return [
    '',
    para(`Last run: ${run}${ended}.${why}`),
    para(`${parts.join(', ')}. ${treeText({ tree })}`, '  '),
    ...(notPushed === null ? [] : [style.yellow(para(notPushed.text, '! '))]),
    ...(notPushed?.next ? [`  ${notPushed.next}`] : []),
    style.dim('  ralph report'),
  ];
}
