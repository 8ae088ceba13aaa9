import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { camelKeys } from 'ralph-kit/snake-keys';
import { firstFew } from 'ralph-kit/text';
import type { StatusResult } from '../../app/commands/status.ts';
import { atWorkWords } from '../../domain/records/at-work.ts';
import { takenBackLines } from '../../domain/records/marks.ts';
import type { RunReport, UnfinishedTask } from '../../domain/run-report.ts';
import { itemLines, nextLines, type Terminal } from '../../io/ui/index.ts';
import {
  budgetText,
  limitText,
  notPushedOf,
  openItems,
  resultItems,
  spentText,
  treeText,
  unavailableText,
  withLocalTimes,
} from '../../tell/index.ts';
import { actionOf, type Call } from '../call.ts';
import { storyLine } from '../render/story.ts';

export function define(program: Command): void {
  program.command('status').action(actionOf(run, false));
}

export async function run(call: Call) {
  const { status } = await import('../../app/commands/status.ts');
  await call.print(await status(call), statusText);
}

export function statusText(data: StatusResult, terminal: Terminal): string {
  const { tracker, counts, incident, running } = data;
  const { style, para } = terminal;
  const taken = takenBackLines(data.taken_back.map(({ task_id: taskId, mark }) => ({ taskId, mark })));
  const headline = headlineNow(data);
  const sections = [
    [
      ...taken.map((line) => style.yellow(para(line, '! '))),
      ...(incident === null
        ? []
        : [style.red(para(`Runs are paused until you resolve ${incident.id} (${incident.task_id}).`, '■ '))]),
      para(`${style.bold(withLocalTimes(headline, new Date()))} ${style.dim(`(${tracker})`)}`),
      ...(headline === counts ? [] : [para(counts)]),
      ...budgetLines(data, terminal),
    ],
    needLines(data, terminal),
    [
      running === null
        ? 'No run is active.'
        : `Running: ${running.run} (process ${running.pid} on ${running.host})`,
      ...askedLines(data, terminal),
      ...taskLines(data, terminal),
      ...lastAttemptLines(data),
    ],
    lastRunLines(data, terminal),
    data.unavailable.flatMap(({ agent, ...unavailable }) => [
      style.yellow(para(withLocalTimes(unavailableText(agent, unavailable), new Date()), '! ')),
      style.dim(`  to try it now: ralph profile --agent ${agent} --reinstate`),
    ]),
    data.story.length === 0
      ? []
      : [...data.story.map((entry) => storyLine(entry, terminal)), style.dim('  ralph interventions')],
    nextLines(data.commands, terminal),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Returns why runs are stopped, as the last report says it; otherwise how many tasks are done. */
function headlineNow({ last_run: last, policy_stop: stop, running, counts }: StatusResult): string {
  return last === null || stop === null || running !== null ? counts : last.headline;
}

function budgetLines({ budget }: StatusResult, { para }: Terminal): string[] {
  if (budget === null) return [];
  const since = budget.since === null ? '' : `, since ${withLocalTimes(budget.since, new Date())}`;
  return [para(`Budget: ${budgetText(budget.limits, budget.spent)}${since}`)];
}

/** Returns the causes that need you, as in the report: tasks, their work, and the commands that help. */
function needLines(data: StatusResult, terminal: Terminal): string[] {
  const unfinished = camelKeys(data.unfinished) as readonly UnfinishedTask[];
  const items = [
    ...openItems(unfinished.filter(({ group }) => group === 'you')),
    ...resultItems(data.not_committed),
  ];
  return items.length === 0 ? [] : [terminal.style.bold('Needs you'), ...itemLines(items, terminal)];
}

function askedLines({ running, current }: StatusResult, { style, para }: Terminal): string[] {
  if (running === null) return [];
  const after = current === null ? 'now' : 'after this attempt';
  if (running.stopping) return [style.yellow(`  ends ${after} (ralph stop)`)];
  if (running.paused_since === null) return [];
  // A pause is dated by your request, because the running attempt had to end first.
  const asked = withLocalTimes(running.paused_since, new Date());
  const state = current === null ? 'Paused' : 'Pauses after this attempt';
  return [style.yellow(para(`${state}, asked for at ${asked}: ralph continue`, '  '))];
}

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
    `Next task: ${style.bold(task_id)} ${title}`,
    style.dim(para(`${why}; ${limitText(timeout_seconds)}`, '  ')),
  ];
}

function phaseLine({ agent, phase, phase_since, place }: NonNullable<StatusResult['current']>): string[] {
  if (phase === 'agent') return [];
  return [`  ${atWorkWords({ agent, phase, place })} since ${withLocalTimes(phase_since, new Date())}`];
}

/** Returns a line such as "  model claude-sonnet-4-5, session 31eefe21…", with what the agent reports. */
function whoLine(model: string | null, session: string | null): string[] {
  const parts = [
    ...(model === null ? [] : [`model ${model}`]),
    ...(session === null ? [] : [`session ${session}`]),
  ];
  return parts.length === 0 ? [] : [`  ${parts.join(', ')}`];
}

function lastAttemptLines({ last_attempt: last }: StatusResult): string[] {
  if (last === null) return [];
  const { iteration, task_id, agent, model, session_id, tokens, cost_usd, estimated_usd } = last;
  const spent = { tokens, costUsd: cost_usd, estimatedUsd: estimated_usd };
  const used = tokens === 0 ? '' : `, ${spentText(spent)}`;
  return [`Last attempt: #${iteration} ${task_id}, ${agent}${used}`, ...whoLine(model, session_id)];
}

/** Returns a summary of the last run that did something. `ralph report` has the details. */
function lastRunLines(data: StatusResult, { style, para }: Terminal): string[] {
  const { last_run: last, running, counts } = data;
  if (last === null || last.run === running?.run) return [];
  const {
    run,
    ended_at: at,
    headline,
    done_in_run: done,
    lies_caught: falseClaims,
    false_claims: claims,
  } = last;
  const how = last.ending === 'crashed' ? 'last heard of' : 'ended';
  const ended = at === null ? '' : `, ${how} ${withLocalTimes(at, new Date())}`;
  const isAbove = headline === counts || headline === headlineNow(data);
  const why = isAbove ? '' : ` ${withLocalTimes(headline, new Date())}`;
  const parts = [
    `${counted(done.length, 'task')} done in ${counted(last.iterations, 'iteration')}`,
    ...(falseClaims === 0
      ? []
      : [
          `${counted(falseClaims, 'false claim')} caught (${firstFew(claims.map(({ task_id }) => task_id))})`,
        ]),
  ];
  const { tree, push } = camelKeys({ tree: last.tree, push: last.push }) as Pick<RunReport, 'tree' | 'push'>;
  const notPushed = notPushedOf({ push });
  return [
    para(`Last run: ${run}${ended}.${why}`),
    para(`${parts.join(', ')}. ${treeText({ tree })}`, '  '),
    ...(notPushed === null ? [] : [style.yellow(para(notPushed.text, '! '))]),
    ...(notPushed?.next ? [`  ${notPushed.next}`] : []),
    style.dim('  ralph report'),
  ];
}
