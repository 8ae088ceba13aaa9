import { displayWidth } from 'ralph-kit/columns';
import { counted, timesText } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { firstFew, onOneLine, quotedNames } from 'ralph-kit/text';
import type { MutantCounts } from '../../domain/proof-run.ts';
import type { Failing } from '../../domain/records/state.ts';
import { failingHead, type Item, needItems, openItems } from '../../domain/report-items.ts';
import {
  allowingLine,
  type DoneTask,
  type RunReport,
  type UnfinishedTask,
  uncheckedText,
} from '../../domain/run-report.ts';
import { STATUS_WORD } from '../../domain/task.ts';
import { workText } from '../../domain/work-place.ts';
import { budgetText, spentParts } from './policy-text.ts';
import type { Terminal } from './terminal.ts';
import { localTime, withLocalTimes } from './times.ts';

/** Tasks of one group that a terminal shows; output to a file or program has all. */
const SHOWN = 20;

/** Returns the report of a run: what is done, what needs you and why, what to run next. */
export function reportText(report: RunReport, terminal: Terminal): string {
  const { style, para } = terminal;
  const of = (group: UnfinishedTask['group']) => report.unfinished.filter((task) => task.group === group);
  const unchecked = uncheckedText(report.unchecked, true);
  const sections = [
    headLines(report, terminal),
    section('Needs you', itemLines(needItems(report), terminal), terminal),
    section(
      'Not done',
      [...itemLines(openItems(of('attempted')), terminal), ...openLine(of('not_started'))],
      terminal,
    ),
    section('Done in this run', doneLines(report.doneInRun, terminal), terminal),
    section(
      'Details',
      detailTexts(report).map(({ text, isWarning }) => {
        const line = para(onOneLine(text), '  ', '    ');
        return isWarning ? style.yellow(line) : line;
      }),
      terminal,
    ),
    nextLines(report.next, terminal),
    // The warning comes last, as readers remember the last line.
    unchecked === null ? [] : [style.yellow(para(unchecked, '! '))],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Whether the work tree passes its gates, so that you can build on it. */
export function treeText({ tree }: Pick<RunReport, 'tree'>): string {
  const { state, failing, passing, tests, empty } = tree;
  const checks = passing.map((gate) => {
    const reported = tests.find((one) => one.gate === gate)?.reported;
    return reported === undefined ? gate : `${gate} (${withoutAllPassed(reported)})`;
  });
  const none = empty.length === 0 ? '' : `Gate ${quotedNames(empty)} ran no tests.`;
  return {
    green: `All checks pass: ${firstFew(checks, 10)}.${none === '' ? '' : ` ${none}`}`,
    red: `Checks fail: ${quotedNames(failing)} failed before the run or by your changes, and still fails.`,
    unknown:
      none === ''
        ? "No gate has run, so whether the tree works isn't known."
        : `${none} Whether the tree works isn't known.`,
  }[state];
}

/** "12 tests: 12 passed" of a gate that passed becomes "12 tests". */
function withoutAllPassed(reported: string): string {
  return reported.replace(/^(([\d,]+) tests?): \2 passed$/, '$1');
}

/** The id of the run, when it ran, and what it cost. */
export function factsText(report: RunReport, now: Date): string {
  const { run, agent, startedAt, endedAt, iterations, durationMs, endedWith } = report;
  const from = localTime(startedAt, now, true);
  const heard = report.ending === 'crashed' ? ', when it was last heard of' : '';
  const until = endedAt === null ? 'now' : `${localTime(endedAt, now, true)}${heard}`;
  const code = endedWith === null ? [] : [`exit code ${endedWith}`];
  const used = [
    `${counted(iterations, 'iteration')} in ${formatDuration(durationMs)}`,
    ...spentParts(report.spent),
  ];
  const which = report.runs.length > 1 ? `${report.runs.length} runs, the newest ${run}` : run;
  return [...used, ...code, `${from} to ${until}`, agent, which].join(', ');
}

function headLines(report: RunReport, { style, para }: Terminal): string[] {
  const now = new Date();
  const { headline, counts, tree } = report;
  const paint = { green: style.green, red: style.red, unknown: style.dim }[tree.state];
  const isLanded =
    report.ending === 'all_done' && report.notCommitted.length === 0 && report.unchecked.length === 0;
  const headColor = isLanded ? style.green : style.yellow;
  return [
    style.bold(headColor(para(withLocalTimes(headline, now)))),
    ...(headline.includes(counts) ? [] : [para(counts)]),
    paint(para(treeText(report))),
    style.dim(para(factsText(report, now))),
  ];
}

function section(title: string, lines: readonly string[], { style }: Terminal): string[] {
  return lines.length === 0 ? [] : [style.bold(title), ...lines];
}

/**
 * Tasks that aren't done or need you: each cause once, with its tasks, their work, and the commands that
 * help.
 */
export function itemLines(items: readonly Item[], terminal: Terminal): string[] {
  const { style, para, live } = terminal;
  const now = new Date();
  const shown = live ? items.slice(0, SHOWN) : items;
  const lines = shown.flatMap(({ mark, tasks, cause, excerpt, steps, work, commands }) => {
    const sign = { blocked: style.red('✖'), you: style.yellow('!'), open: style.yellow('–') }[mark];
    const why = withLocalTimes(cause, now);
    return [
      ...tasks.map(({ id, title }) => para(`${id} ${title}`, `  ${sign} `)),
      tasks.length === 0 ? para(why, `  ${sign} `) : para(why, '      '),
      ...excerpt.map((line) => style.red(para(line, '        ', '          '))),
      ...steps.map((step, at) => para(step, `      ${at + 1}. `)),
      // A command is never wrapped, so that it can be copied.
      ...work.map((place) => `      ${workText(place)}`),
      ...commands.map((command) => `      ${style.cyan(command)}`),
    ];
  });
  return [...lines, ...moreLine(items.length - shown.length, 'ralph tasks')];
}

function moreLine(count: number, command: string): string[] {
  return count > 0 ? [`  and ${count} more: ${command}`] : [];
}

/** Tasks that wait for others and are named; more are only counted. */
const WAITING_NAMED = 5;

function openLine(tasks: readonly UnfinishedTask[]): string[] {
  if (tasks.length === 0) return [];
  const waiting = tasks.filter(({ waitsFor }) => waitsFor.length > 0);
  if (waiting.length === tasks.length && waiting.length <= WAITING_NAMED) {
    return waiting.map(({ id, title, waitsFor }) => `  – ${id} ${title}: waits for ${firstFew(waitsFor)}`);
  }
  return [`  – ${counted(tasks.length, 'task')} not started: ralph tasks`];
}

/** The branch and remote that were pushed to; `null`: nothing was pushed. */
export function pushedText({ push }: Pick<RunReport, 'push'>): string | null {
  if (push === null || push.commit === null) return null;
  const { remote, branch, commit, pullRequest } = push;
  return `Pushed to ${remote}/${branch} (${commit.slice(0, 10)})${pullRequest === null ? '' : `, pull request ${pullRequest}`}.`;
}

function doneLines(tasks: readonly DoneTask[], terminal: Terminal): string[] {
  const { style, para, live } = terminal;
  const shown = live ? tasks.slice(0, SHOWN) : tasks;
  const lines = shown.flatMap((task) => [
    para(`${task.id} ${task.title} ${doneFacts(task)}`, `  ${style.green('✔')} `),
    ...task.signs.map((sign) => para(onOneLine(sign), `      ${style.yellow('!')} `)),
  ]);
  return [...lines, ...moreLine(tasks.length - shown.length, 'ralph report --format markdown')];
}

/** The state of a task that was removed from the task list since. */
export const NOT_LISTED = 'no longer in the list';

/** Time, attempts and cost of a done task, in brackets. */
function doneFacts(task: DoneTask): string {
  const { attempts, conflicts, durationMs, status } = task;
  const parts = [commitsText(task)];
  if (attempts > 0)
    parts.push(counted(attempts, 'attempt'), formatDuration(durationMs), ...spentParts(task.spent));
  if (conflicts > 0) parts.push(`${counted(conflicts, 'conflict')} before`);
  if (task.grade !== 'none') parts.push(`proof: ${task.grade}`);
  if (task.mutants !== null) parts.push(mutantsText(task.mutants));
  const unchecked = task.criteria.filter(({ standing: status }) => status !== 'shown').length;
  const of = unchecked < task.criteria.length ? `${unchecked} of ` : '';
  const criteria = counted(task.criteria.length, 'criterion', 'criteria');
  if (unchecked > 0) parts.push(`${of}${criteria} not checked`);
  if (status === null) parts.push(NOT_LISTED);
  else if (status !== 'done') parts.push(`now ${STATUS_WORD[status]}`);
  return `(${parts.join(', ')})`;
}

/** The commits of a task, and their branch where that isn't yours. */
export function commitsText({ commits, branch }: Pick<DoneTask, 'commits' | 'branch'>): string {
  if (commits.length === 0) return 'not committed';
  return `${commits.map((id) => id.slice(0, 10)).join(', ')}${branch === null ? '' : ` on ${branch}`}`;
}

/** Returns a line such as `mutants: 4 of 5 killed`. */
export function mutantsText({ tried, killed, leftOut }: MutantCounts): string {
  const left = leftOut === 0 ? '' : `, no time for ${leftOut}`;
  return `mutants: ${tried === 0 ? 'none tried' : `${killed} of ${tried} killed`}${left}`;
}

/** Further facts about the runs, each as a sentence; `isWarning`: you may have to do something about it. */
export function detailTexts(
  report: RunReport,
): readonly { readonly text: string; readonly isWarning: boolean }[] {
  const { liesCaught, budget, commandsRefused, commandsRewritten, deniedActions, iterations } = report;
  const plain = (...texts: readonly (string | null)[]) =>
    texts.flatMap((text) => (text === null ? [] : [{ text, isWarning: false }]));
  const warned = (texts: readonly string[]) => texts.map((text) => ({ text, isWarning: true }));
  return [
    ...plain(
      pushedText(report),
      liesCaught === 0 ? null : falseClaimsText(report),
      perTaskText(report),
      budget === null ? null : `Budget: ${budgetText(budget.limits, budget.spent)}.`,
      ...roleTexts(report),
      ...proposalTexts(report),
    ),
    ...warned([
      ...(commandsRefused === 0
        ? []
        : [
            `${counted(commandsRefused, 'command')} of ralph refused, called by the agent or a gate: ralph interventions`,
          ]),
      ...refusedHostTexts(report),
      ...(commandsRewritten === 0
        ? []
        : [
            `${counted(commandsRewritten, 'command')} changed after review by a hook of yours: ralph interventions`,
          ]),
      ...report.failedRules,
      ...report.unreachable,
    ]),
    ...plain(
      iterations === 0 ? null : timeText(report),
      ...retriedTexts(report),
      speedUpText(report),
      deniedActions.count === 0 ? null : deniedText(deniedActions),
    ),
    ...warned(
      report.gateLost.map(({ agent, why }) => `Actions of ${agent} were seen only once started: ${why}.`),
    ),
  ];
}

/** How the run's time divides into agents, checks and waiting. */
export function timeText({ time: { agentMs, checksMs, waitedMs, otherMs }, speedUp }: RunReport): string {
  const parts = [
    `agents ${formatDuration(agentMs)}`,
    `gates and checks ${formatDuration(checksMs)}`,
    ...(waitedMs < 1000 ? [] : [`waiting for a turn ${formatDuration(waitedMs)}`]),
    // With several workers there is seldom a moment in which none is at work, so the remaining time isn't
    // shown.
    ...(speedUp === null && otherMs > 0 ? [`waits and between attempts ${formatDuration(otherMs)}`] : []),
  ];
  return `Time: ${parts.join(', ')}.`;
}

/**
 * How often requests to each agent's service were repeated, and how long that took; no task's time includes
 * it.
 */
export function retriedTexts({ retried }: Pick<RunReport, 'retried'>): string[] {
  return retried.map(
    ({ agent, tries, waitedMs, answer }) =>
      `${agent} sent requests again ${timesText(tries)}, in ${formatDuration(waitedMs)} that no task is charged for: ${answer}.`,
  );
}

/** Below this factor several workers saved too little time to mention. */
const LEAST_GAIN = 1.1;

/**
 * "4 workers: 6 h 10 min of work in 1 h 50 min, 3.4 times as fast as one after the other.", or that they
 * saved no time and the known reasons; `null`: there was one worker.
 */
export function speedUpText({
  speedUp,
  durationMs,
  time: { waitedMs, otherMs },
}: Pick<RunReport, 'speedUp' | 'durationMs' | 'time'>): string | null {
  if (speedUp === null) return null;
  const { workers, workMs, factor, conflicts, lostMs } = speedUp;
  const work = `${workers} workers: ${formatDuration(workMs)} of work in ${formatDuration(durationMs)}`;
  const conflicted = `${counted(conflicts, 'conflict')} cost ${formatDuration(lostMs)}`;
  if (factor >= LEAST_GAIN) {
    const gained = `${work}, ${factor.toFixed(1)} times as fast as one after the other.`;
    return conflicts === 0 ? gained : `${gained} ${conflicted}.`;
  }
  const why = [
    ...(waitedMs < 1000 ? [] : [`attempts waited ${formatDuration(waitedMs)} for a turn`]),
    ...(conflicts === 0 ? [] : [conflicted]),
    ...(otherMs < 1000 ? [] : [`for at least ${formatDuration(otherMs)} no attempt was running`]),
  ];
  return `${work}. Working in parallel saved no time${why.length === 0 ? '' : `: ${why.join('; ')}`}.`;
}

/** What each role beside the maker did and cost, and how many of its findings were fixed. */
export function roleTexts({ prover, roles, deferredWarnings }: RunReport): string[] {
  const lines = roles.map(({ role, agents, runs, failed, findings, resolved, shadows, wrote, spent }) => {
    const parts = [
      timesText(runs),
      ...(failed === 0 ? [] : [`${failed} failed`]),
      findings === 0 ? 'no findings' : counted(findings, 'finding'),
      ...(resolved === 0 ? [] : [`${resolved} resolved`]),
      ...(shadows === 0 ? [] : [`its shadow in ${counted(shadows, 'iteration')}`]),
      ...(wrote === 0 ? [] : [`wrote in ${wrote}, undone`]),
      ...spentParts(spent),
    ];
    return `Role ${role}${agents.length === 0 ? '' : ` (${agents.join(', ')})`}: ${parts.join(', ')}.`;
  });
  if (prover !== null) {
    const { agents, kept, withdrawn, ...spent } = prover;
    const parts = [
      `${counted(kept, 'check')} kept`,
      ...(withdrawn === 0 ? [] : [`${withdrawn} withdrawn`]),
      ...spentParts(spent),
    ];
    lines.push(`Role prover (${agents.join(', ')}): ${parts.join(', ')}.`);
  }
  if (deferredWarnings > 0) lines.push(`${counted(deferredWarnings, 'warning')} deferred in accepted work.`);
  return lines;
}

/** Tasks that agents proposed beside their work, and the command that adds them. */
export function proposalTexts({ proposals }: RunReport): string[] {
  return proposals.map(
    ({ id, taskId, titles }) =>
      `Proposed in ${taskId}: ${titles.map(onOneLine).join('; ')}. ralph plan accept ${id}`,
  );
}

/** The number of false claims, and their tasks. */
export function falseClaimsText({ liesCaught, falseClaims }: RunReport): string {
  const tasks = falseClaims.map(({ taskId, count }) => (count === 1 ? taskId : `${taskId} (${count})`));
  return `${counted(liesCaught, 'false claim')} caught: ${firstFew(tasks, 10)}.`;
}

/** Which hosts weren't reached, and the line that allows them. */
export function refusedHostTexts({ refusedHosts }: RunReport): string[] {
  return refusedHosts.map((refused) => {
    const { length } = refused.hosts;
    return `${counted(length, 'host')} refused. To allow ${length === 1 ? 'it' : 'them'}: [box] ${allowingLine(refused)}`;
  });
}

/** Cost and time of one verified task on average; `null`: no task was verified. */
export function perTaskText({ perVerifiedTask: each }: RunReport): string | null {
  if (each === null) return null;
  return `For each verified task: ${[formatDuration(each.durationMs), ...spentParts(each.spent)].join(', ')}.`;
}

export function deniedText({ count, begun, iterations }: RunReport['deniedActions']): string {
  const where = iterations.length === 1 ? ` in #${iterations[0]}` : '';
  const late = begun === 0 ? '' : begun === count ? ', once started' : `, ${begun} of them once started`;
  return `${counted(count, 'action')} denied${where}${late}: ralph interventions`;
}

/** The next commands side by side where they fit. None is wrapped, so that it can be copied. */
export function nextLines(commands: readonly string[], { style, width }: Terminal): string[] {
  if (commands.length === 0) return [];
  const line = `Next: ${commands.join('   ')}`;
  const shown = displayWidth(line) <= width ? line : `Next: ${commands.join('\n      ')}`;
  return [shown.replace('Next:', style.bold('Next:'))];
}

/** The output that failed an attempt, below the reason why its task isn't done. */
export function failingLines(
  failing: Failing | null,
  { style, para }: Pick<Terminal, 'style' | 'para'>,
  indent: string,
): string[] {
  if (failing === null) return [];
  return [
    para(`${failingHead(failing)}:`, indent),
    ...failing.lines.map((line) => style.red(para(line, `${indent}  `, `${indent}    `))),
  ];
}
