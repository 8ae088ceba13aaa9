import type { MutantCounts } from '../../domain/proof-run.ts';
import type { Failing } from '../../domain/records/state.ts';
import {
  allowingLine,
  type DoneTask,
  type RunReport,
  type UnfinishedTask,
  uncheckedText,
} from '../../domain/run-report.ts';
import { workText } from '../../domain/work-place.ts';
import { displayWidth } from '../../lib/columns.ts';
import { counted, timesText } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import { asSentence, firstFew, onOneLine, quotedNames, shortened } from '../../lib/text.ts';
import { budgetText, spentParts } from './policy-text.ts';
import type { Terminal } from './terminal.ts';
import { localTime, withLocalTimes } from './times.ts';

/** Tasks of one group that a terminal shows; what is piped has them all. */
const SHOWN = 20;

/** The report of a run, for the morning: what is done, what needs you and why, what to run next. */
export function reportText(report: RunReport, terminal: Terminal): string {
  const { style, width } = terminal;
  const of = (group: UnfinishedTask['group']) => report.unfinished.filter((task) => task.group === group);
  const sections = [
    headLines(report, terminal),
    section('Needs you', [...unfinishedLines(of('you'), terminal), ...yourLines(report, terminal)], terminal),
    section(
      'Not done',
      [...unfinishedLines(of('attempted'), terminal), ...openLine(of('not_started'))],
      terminal,
    ),
    section('Done in this run', doneLines(report.doneInRun, terminal), terminal),
    section('Details', detailLines(report, terminal), terminal),
    report.next.length === 0 ? [] : [nextLine(report.next, width)],
    uncheckedLines(report, terminal),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
    .replace('Next:', style.bold('Next:'));
}

/** What is verified and isn't on your branch yet; what is done of what, and why the run ended. */
export function headline(report: RunReport): string {
  const { tasks, unfinished, reason, ending, notCommitted } = report;
  const waiting = unfinished.filter(({ status }) => status === 'parked').length;
  const behind = unfinished.filter(({ status, waitsFor }) => status === 'open' && waitsFor.length > 0).length;
  const counts = [
    [tasks.unverified, 'ticked, not verified'],
    [tasks.blocked, 'blocked'],
    [waiting, 'waiting for you'],
    [tasks.open - waiting - behind, 'open'],
    [behind, 'waiting for another'],
  ] as const;
  // Nothing to add to the numbers.
  const isStated =
    (ending === 'all_blocked' && tasks.done + tasks.blocked === tasks.total) ||
    (ending === 'all_done' && notCommitted.length > 0);
  const left = counts.flatMap(([count, what]) => (count > 0 ? [`, ${count} ${what}`] : []));
  const unchecked = report.unchecked.length === 0 ? '' : 'Nothing checked this run. ';
  return `${unchecked}${waitingHead(notCommitted)}${tasks.done} of ${counted(tasks.total, 'task')} done${left.join('')}.${isStated ? '' : ` ${reason}`}`;
}

/** Characters of what results wait for: below, each is whole. */
const WAITED_FOR = 200;

function waitingHead(waiting: RunReport['notCommitted']): string {
  if (waiting.length === 0) return '';
  const all = [...new Set(waiting.map(({ why }) => onOneLine(why).replace(/\.$/, '')))];
  // What waits behind another one ends with what that waits for.
  const own = all.filter((why) => !all.some((other) => other !== why && why.endsWith(other)));
  const whys = firstFew(own, 2);
  const verb = waiting.length === 1 ? 'waits' : 'wait';
  return `${counted(waiting.length, 'verified result')} ${verb}: ${shortened(whys, WAITED_FOR)}. `;
}

/** Whether the tree can be built on. */
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

/** "12 tests: 12 passed" of a gate that passed is "12 tests". */
function withoutAllPassed(reported: string): string {
  return reported.replace(/^(([\d,]+) tests?): \2 passed$/, '$1');
}

/** Which run it was, when, and what it took. */
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
  const head = para(withLocalTimes(headline(report), now));
  const { state } = report.tree;
  const tree = para(treeText(report));
  const paint = { green: style.green, red: style.red, unknown: style.dim }[state];
  const isLanded =
    report.ending === 'all_done' && report.notCommitted.length === 0 && report.unchecked.length === 0;
  const headColor = isLanded ? style.green : style.yellow;
  return [style.bold(headColor(head)), paint(tree), style.dim(para(factsText(report, now)))];
}

function section(title: string, lines: readonly string[], { style }: Terminal): string[] {
  return lines.length === 0 ? [] : [style.bold(title), ...lines];
}

/** Why a task isn't done, with times as they are here. */
export function whyText({ why }: Pick<UnfinishedTask, 'why'>): string {
  return withLocalTimes(why, new Date());
}

function unfinishedLines(tasks: readonly UnfinishedTask[], terminal: Terminal): string[] {
  const { style, para } = terminal;
  const shown = shownOf(tasks, terminal);
  const lines = shown.flatMap((task) => {
    const { id, title, status, recovery } = task;
    const mark =
      { blocked: style.red('✖') }[status as string] ?? style.yellow(MARKS[status as string] ?? '–');
    return [
      para(`${id} ${title}`, `  ${mark} `),
      para(whyText(task), '      '),
      ...causeLines(task, tasks, terminal),
      ...recovery.map((step, at) => para(step, `      ${at + 1}. `)),
      // A command is never broken: it is there to be copied.
      ...workLine(task),
      `      ${style.cyan(task.next)}`,
    ];
  });
  return [...lines, ...moreLine(tasks.length - shown.length, 'ralph tasks')];
}

function workLine({ work }: UnfinishedTask): string[] {
  const text = workText(work);
  return text === null ? [] : [`      ${text}`];
}

/** The error, once for all tasks that fail with it. */
function causeLines(
  { id, failing, sameAs }: UnfinishedTask,
  tasks: readonly UnfinishedTask[],
  terminal: Terminal,
): string[] {
  const { para } = terminal;
  const [first] = sameAs;
  if (first !== undefined && tasks.some((task) => task.id === first))
    return [para(`the same error as ${first}`, '      ')];
  const others = tasks.filter((task) => task.sameAs[0] === id).map((task) => task.id);
  return [
    ...failingLines(failing, terminal, '      '),
    ...(others.length === 0 ? [] : [para(`the same error stops ${firstFew(others)}`, '      ')]),
  ];
}

const MARKS: Readonly<Record<string, string>> = { parked: '!', unverified: '!' };

function shownOf<T>(all: readonly T[], { live }: Terminal): readonly T[] {
  return live ? all.slice(0, SHOWN) : all;
}

function moreLine(count: number, command: string): string[] {
  return count > 0 ? [`  and ${count} more: ${command}`] : [];
}

/** A few tasks that wait for others are named. */
const WAITING_NAMED = 5;

function openLine(tasks: readonly UnfinishedTask[]): string[] {
  if (tasks.length === 0) return [];
  const waiting = tasks.filter(({ waitsFor }) => waitsFor.length > 0);
  if (waiting.length === tasks.length && waiting.length <= WAITING_NAMED) {
    return waiting.map(({ id, title, waitsFor }) => `  – ${id} ${title}: waits for ${firstFew(waitsFor)}`);
  }
  return [`  – ${counted(tasks.length, 'task')} not started: ralph tasks`];
}

function yourLines(report: RunReport, { style, para }: Terminal): string[] {
  const mark = `  ${style.yellow('!')} `;
  const notPushed = notPushedOf(report);
  const { notCommitted: waiting } = report;
  return [
    ...waiting.flatMap(({ id, why, next }) => {
      const ids = waiting.filter((one) => one.why === why && one.next === next).map((one) => one.id);
      if (ids[0] !== id) return [];
      const [is, it] = ids.length === 1 ? ['is verified and waits', 'it'] : ['are verified and wait', 'them'];
      return [para(`${firstFew(ids, 10)} ${is}: ${why} To land ${it}:`, mark), `      ${style.cyan(next)}`];
    }),
    ...(notPushed === null ? [] : [para(notPushed.text, mark)]),
    ...(notPushed?.next ? [`      ${style.cyan(notPushed.next)}`] : []),
    ...sentencesForYou(report).map((text) => para(text, mark)),
  ];
}

/** What the report tells you besides. */
export function sentencesForYou({ signInsKept, builtAnew }: RunReport): readonly string[] {
  return builtAnew === null ? signInsKept : [...signInsKept, builtAnew];
}

/** What of a push wasn't done, as a sentence, and the command that helps where there is one; `null`: nothing. */
export function notPushedOf({
  push,
}: Pick<RunReport, 'push'>): { readonly text: string; readonly next: string | null } | null {
  if (push === null || push.problem === null) return null;
  const { remote, branch, commit, pullRequest, problem } = push;
  const what =
    commit === null
      ? `Nothing was pushed to ${remote}/${branch}`
      : pullRequest === null
        ? 'No pull request was opened'
        : `${pullRequest} isn't up to date`;
  return { text: `${what}: ${asSentence(problem.reason)}`, next: problem.next };
}

/** Where it was pushed to; `null`: nowhere. */
export function pushedText({ push }: Pick<RunReport, 'push'>): string | null {
  if (push === null || push.commit === null) return null;
  const { remote, branch, commit, pullRequest } = push;
  return `Pushed to ${remote}/${branch} (${commit.slice(0, 10)})${pullRequest === null ? '' : `, pull request ${pullRequest}`}.`;
}

function doneLines(tasks: readonly DoneTask[], terminal: Terminal): string[] {
  const { style, para } = terminal;
  const shown = shownOf(tasks, terminal);
  const lines = shown.flatMap((task) => [
    para(`${task.id} ${task.title} ${doneFacts(task)}`, `  ${style.green('✔')} `),
    ...task.signs.map((sign) => para(onOneLine(sign), `      ${style.yellow('!')} `)),
  ]);
  return [...lines, ...moreLine(tasks.length - shown.length, 'ralph report --format markdown')];
}

/** Of a task that was taken out of the list since. */
export const NOT_LISTED = 'no longer in the list';

/** What it took, in brackets. */
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
  else if (status !== 'done') parts.push(`now ${status.replaceAll('_', ' ')}`);
  return `(${parts.join(', ')})`;
}

/** Its commits, and the branch that they are on where that isn't yours. */
export function commitsText({ commits, branch }: Pick<DoneTask, 'commits' | 'branch'>): string {
  if (commits.length === 0) return 'not committed';
  return `${commits.map((id) => id.slice(0, 10)).join(', ')}${branch === null ? '' : ` on ${branch}`}`;
}

/** `mutants: 4 of 5 killed`. */
export function mutantsText({ tried, killed, leftOut }: MutantCounts): string {
  const left = leftOut === 0 ? '' : `, no time for ${leftOut}`;
  return `mutants: ${tried === 0 ? 'none tried' : `${killed} of ${tried} killed`}${left}`;
}

function detailLines(report: RunReport, terminal: Terminal): string[] {
  const { style, para } = terminal;
  const lines: string[] = [];
  const pushed = pushedText(report);
  if (pushed !== null) lines.push(para(pushed, '  '));
  if (report.liesCaught > 0) lines.push(para(falseClaimsText(report), '  '));
  const each = perTaskText(report);
  if (each !== null) lines.push(para(each, '  '));
  if (report.budget !== null) {
    const { limits, spent } = report.budget;
    lines.push(para(`Budget: ${budgetText(limits, spent)}.`, '  '));
  }
  lines.push(...[...roleTexts(report), ...proposalTexts(report)].map((text) => para(text, '  ', '    ')));
  if (report.commandsRefused > 0) {
    const refused = `${counted(report.commandsRefused, 'command')} of ralph refused, called by the agent or a gate: ralph interventions --type command_refused`;
    lines.push(style.yellow(para(refused, '  ')));
  }
  lines.push(...refusedHostTexts(report).map((text) => style.yellow(para(text, '  '))));
  if (report.commandsRewritten > 0) {
    const rewritten = `${counted(report.commandsRewritten, 'command')} changed after review by a hook of yours: ralph interventions --type command_rewritten`;
    lines.push(style.yellow(para(rewritten, '  ')));
  }
  lines.push(...report.failedRules.map((text) => style.yellow(para(onOneLine(text), '  '))));
  if (report.iterations > 0) lines.push(para(timeText(report), '  '));
  const gained = speedUpText(report);
  if (gained !== null) lines.push(para(gained, '  '));
  if (report.deniedActions.count > 0) lines.push(para(deniedText(report.deniedActions), '  '));
  for (const { agent, why } of report.gateLost)
    lines.push(style.yellow(para(`Actions of ${agent} were seen only once started: ${why}.`, '  ')));
  return lines;
}

/** Where the time went. */
export function timeText({ time: { agentMs, checksMs, waitedMs, otherMs }, speedUp }: RunReport): string {
  const parts = [
    `agents ${formatDuration(agentMs)}`,
    `gates and checks ${formatDuration(checksMs)}`,
    ...(waitedMs < 1000 ? [] : [`waiting for a turn ${formatDuration(waitedMs)}`]),
    // Among several workers it is seldom that none is at work.
    ...(speedUp === null && otherMs > 0 ? [`waits and between attempts ${formatDuration(otherMs)}`] : []),
  ];
  return `Time: ${parts.join(', ')}.`;
}

/** Below this several workers saved no time worth the word. */
const LEAST_GAIN = 1.1;

/**
 * "4 workers: 6 h 10 min of work in 1 h 50 min, 3.4 times as fast as one after the other.", or that they saved no time, and what is
 * known of why; `null`: there was one.
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

/** What each role beside the maker did and cost, and what became of its findings. */
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
  if (deferredWarnings > 0) lines.push(`${counted(deferredWarnings, 'WARNING')} of accepted work put off.`);
  return lines;
}

/** What agents proposed beside their work, and the command that takes it. */
export function proposalTexts({ proposals }: RunReport): string[] {
  return proposals.map(
    ({ id, taskId, titles }) =>
      `Proposed in ${taskId}: ${titles.map(onOneLine).join('; ')}. ralph plan accept ${id}`,
  );
}

/** How many, and for which tasks. */
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

/** What a verified task took; `null`: none was verified. */
export function perTaskText({ perVerifiedTask: each }: RunReport): string | null {
  if (each === null) return null;
  return `For each verified task: ${[formatDuration(each.durationMs), ...spentParts(each.spent)].join(', ')}.`;
}

export function deniedText({ count, begun, iterations }: RunReport['deniedActions']): string {
  const where = iterations.length === 1 ? ` in #${iterations[0]}` : '';
  const late = begun === 0 ? '' : begun === count ? ', once started' : `, ${begun} of them once started`;
  return `${counted(count, 'action')} denied${where}${late}: ralph interventions --type action_denied`;
}

/** Last, as what is read last is what remains. */
function uncheckedLines({ unchecked }: RunReport, { style, para }: Terminal): string[] {
  const text = uncheckedText(unchecked, true);
  return text === null ? [] : [style.yellow(para(text, '! '))];
}

/** Commands side by side where they fit; they are there to be copied, so none is broken. */
function nextLine(commands: readonly string[], width: number): string {
  const line = `Next: ${commands.join('   ')}`;
  return displayWidth(line) <= width ? line : `Next: ${commands.join('\n      ')}`;
}

/** What failed an attempt, in its own words, below the reason for which it isn't done. */
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

export function failingHead({ gate, since }: Failing): string {
  if (gate === null) return 'the agent printed';
  const when = { work: ', which passed before the work', before: ', which failed before, too' };
  return `gate ${quotedNames([gate])}${since === null ? '' : when[since]}`;
}

/** The same where it stands alone. */
export function failingSentence({ gate, since }: Failing): string {
  if (gate === null) return 'The agent printed an error.';
  const when = { work: '; it passed before the work', before: '; it failed before, too' };
  return `Gate ${quotedNames([gate])} fails${since === null ? '' : when[since]}.`;
}
