import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { firstFew, pathText } from 'ralph-kit/text';
import type { Checked, Entry, EntryOf } from '../../domain/entry.ts';
import type { GateJudgement, GateResult } from '../../domain/gate.ts';
import { adaptationOf, changesOf, hasMoved, type Recovery } from '../../domain/human/recovery.ts';
import type { PushResult } from '../../domain/push.ts';
import { strategyWord } from '../../domain/records/blocked.ts';
import { acceptedLines } from '../../domain/records/marks.ts';
import { EFFECT, notPushedOf } from '../../domain/report-items.ts';
import { uncheckedText } from '../../domain/run-report.ts';
import { CONSEQUENCES, retryText, SERVICE_KINDS, type ServiceKind } from '../../domain/service.ts';
import { allSpend, spentOf } from '../../domain/spend.ts';
import { ranNoTest, resultsText } from '../../domain/test-results.ts';
import type { VerdictKind } from '../../domain/verdict.ts';
import { keptText, takeCommand } from '../../domain/work-place.ts';
import { budgetLine, budgetText, checkpointLine, costLimitText, spentText, stopLine } from './policy-text.ts';
import { pushedText, reportText } from './run-report.ts';
import type { Terminal } from './terminal.ts';
import { clockTime, countdown, localTime, withLocalTimes } from './times.ts';

/** What each verdict is called on screen. */
export const VERDICT_WORD: Readonly<Record<VerdictKind, string>> = {
  ...wordsOfService(),
  done: 'done',
  already_done: 'reported as already done',
  progress: 'progress',
  no_files: 'no files written',
  false_completion: 'false completion',
  incomplete: 'incomplete',
  gates_failed: 'gates failed',
  changes_requested: 'changes requested',
  timed_out: 'timed out',
  agent_error: 'agent error',
  review_blocked: 'not accepted',
  agent_blocked: 'agent is blocked',
  spawn_failed: 'agent not started',
  gate_down: 'gate is down',
  interrupted: 'interrupted',
  conflict: 'conflict',
  awaiting_human: 'waiting for you',
};

function wordsOfService(): Record<ServiceKind, string> {
  const words = SERVICE_KINDS.map((kind) => [kind, CONSEQUENCES[kind].words] as const);
  return Object.fromEntries(words) as Record<ServiceKind, string>;
}

/** What is printed where a rollback is due and no checkpoint exists. */
const NO_CHECKPOINT = 'There is no safe checkpoint to go back to; the task waits for you';

/** Changed files that one message names. */
const SHOWN = 5;

type Text<T extends Entry['type']> = (
  entry: EntryOf<T>,
  terminal: Terminal,
  /** Whether the run's records stay on disk afterwards, so that commands that show them work. */
  isLasting: boolean,
) => string | null;

/** The text that is printed for each type of entry; types that aren't listed print nothing. */
const TEXTS: { readonly [T in Entry['type']]?: Text<T> } = {
  run_started: (entry, terminal) => [runText(entry, terminal), boxText(entry, terminal)].join('\n'),
  run_reported: ({ report }, terminal) => `\n${reportText(report, terminal)}`,
  setup_checked: ({ findings }, terminal) => preflightText(findings, terminal),
  warned: ({ message }, terminal) => warning(message, terminal),
  review_planned: reviewText,
  guidance_sent: ({ agent, text }, { style, para }) => style.dim(para(`to ${agent}: ${text}`, '  ', '    ')),
  tasks_accepted: acceptedText,
  gates_started: ({ gates, baseline, one }, { style, para }) =>
    one !== null
      ? null
      : style.dim(para(`${baseline ? 'Running gates for a baseline' : 'gates'}: ${gates.join(', ')}`, '  ')),
  gates_finished: gatesText,
  baseline_taken: triedText,
  iteration_started: startText,
  iteration_finished: endText,
  iteration_interrupted: ({ iteration, taskId, run }, terminal) =>
    warning(
      `Iteration ${iteration} (${taskId}) of run ${run} was cut off. It counts as no failed attempt; the next one continues with what it wrote.`,
      terminal,
    ),
  // Only the first repeated requests are printed, then ever fewer: the live line shows each.
  agent_reported: ({ retry }, { style, para }) =>
    retry === undefined || (retry.attempt & (retry.attempt - 1)) !== 0
      ? null
      : style.dim(para(retryText(retry), '  ', '    ')),
  roles_started: ({ phase, roles }, { style, para }) =>
    style.dim(para(`${phase === 'plan' ? 'plan' : 'review'}: ${roles.join(', ')}`, '  ')),
  roles_finished: ({ results }, { style, para }) =>
    results.length === 0
      ? null
      : results.map(({ role, outcome }) => style.dim(para(`${role}: ${outcome}`, '    '))).join('\n'),
  work_landed: ({ commit, paths }, { style }) =>
    commit === null ? null : style.dim(`    committed ${commit.slice(0, 10)} (${counted(paths, 'file')})`),
  commit_skipped: ({ taskId, reason }, terminal) =>
    warning(`${taskId} is verified and waits: ${reason}`, terminal),
  tasks_reopened: ({ tasks, reason, setAside }, terminal) => {
    const ids = tasks.map(({ taskId }) => taskId);
    const place = setAside === undefined ? '' : ` ${keptText(takeCommand(ids.join(', ')))}`;
    const are = ids.length === 1 ? 'is' : 'are';
    return warning(`${ids.join(', ')} ${are} open again: ${reason}.${place}`, terminal);
  },
  task_unblocked: ({ taskId, strategy, reason, timeoutSeconds, automatic }, { style, para }) => {
    const timeout = timeoutSeconds === null ? '' : `, limit ${formatDuration(timeoutSeconds * 1000)}`;
    const what = strategy === null ? 'as you said' : strategyWord(strategy);
    const how = `${automatic ? 'automatically, ' : ''}${what}${timeout}`;
    return style.cyan(para(`${taskId} is unblocked (${how}): ${reason}`, '  ', '    '));
  },
  trees_lost: (_, terminal) =>
    warning(
      'This repository no longer holds what earlier attempts left in it, as after a fresh clone. Tasks continue from the tree as it is.',
      terminal,
    ),
  outputs_seen: outputsText,
  rollback_finished: ({ taskId, paths }, { style, para }) => {
    if (paths.length === 0)
      return style.dim(para('No file was changed: the next attempt starts over in a fresh session.', '    '));
    return taskId === null
      ? null
      : style.yellow(
          `    The next attempt begins without it (${counted(paths.length, 'file')}). ${keptText(takeCommand(taskId))}`,
        );
  },
  work_set_aside: ({ taskId, why, setAside }, { style }) =>
    why !== 'ended' || setAside === null ? null : style.yellow(`    ${keptText(takeCommand(taskId))}`),
  work_taken_up: takenUpText,
  incident_opened: ({ incident: { id, taskId, scope, summary } }, { style, para }) =>
    [
      scope === 'run'
        ? `\n${style.red.bold(`■ Emergency stop ${id}`)}`
        : `\n${style.yellow.bold(`■ ${id}: ${taskId} waits for you`)}`,
      para(summary, '  '),
      style.dim(`  .ralph/incidents/${id}.json`),
    ].join('\n'),
  human_gate_timed_out: ({ request, taskId, became }, { para }) => {
    const decide = became === 'escalated' ? `. Decide: ralph approvals decide ${request}` : '';
    return para(`${request} (${taskId}): not decided in time; ${became}${decide}`, '  ', '    ');
  },
  false_positives_told: ({ texts }, terminal) =>
    texts.length === 0
      ? null
      : warning(`${texts.join('; ')}. ralph whitelist add lets pass what is fine.`, terminal),
  events_added: ({ summary }, terminal) => (summary === null ? null : warning(summary, terminal)),
  wait_started: ({ wait }, { para }) => para(waitText(wait), '  '),
  wait_finished: ({ for: what, over, durationMs }, { style }) => {
    const text =
      what !== 'you'
        ? `waited ${formatDuration(durationMs)}, continuing`
        : `continuing after ${formatDuration(durationMs)}`;
    return over ? style.dim(`  ${text}`) : null;
  },
  checkpoint_taken: checkpointLine,
  push_ended: (entry, terminal) => (entry.isNews ? pushText(entry, terminal) : null),
  budget_reached: budgetLine,
  policy_stopped: stopLine,
};

/** What an entry prints, without the last line end; `null`: nothing. */
export function entryText(entry: Entry, terminal: Terminal, isLasting = true): string | null {
  return textOf(entry.type)?.(entry, terminal, isLasting) ?? null;
}

/** Whether entries of this type may print something; a request for your decision has a panel instead. */
export function isPrinted(type: Entry['type']): boolean {
  return type === 'human_gate_opened' || textOf(type) !== undefined;
}

function textOf<T extends Entry['type']>(type: T): Text<Entry['type']> | undefined {
  return TEXTS[type] as Text<Entry['type']> | undefined;
}

function warning(message: string, { style, para }: Terminal): string {
  return style.yellow(para(withLocalTimes(message, new Date()), '! '));
}

/** Tasks that you accepted yourself, or that were done before ralph's first run, aren't news. */
function acceptedText({ tasks }: EntryOf<'tasks_accepted'>, { para }: Terminal): string | null {
  const news = tasks.filter(({ doneBy: { kind } }) => kind !== 'you' && kind !== 'import');
  if (news.length === 0) return null;
  return acceptedLines(news)
    .map((line) => para(line, '  ', '    '))
    .join('\n');
}

function outputsText({ by, paths }: EntryOf<'outputs_seen'>, terminal: Terminal): string | null {
  if (by === 'gates') return null;
  const them = paths.length === 1 ? 'it' : 'them';
  const named = firstFew(paths.map(pathText), SHOWN);
  const message = `Git doesn't ignore ${named}. Commits leave ${them} out, and ralph doesn't count ${them} as work. Add ${them} to .gitignore.`;
  return warning(message, terminal);
}

/** The result of a baseline: gates that fail already, and gates that ran no test. */
function baselineText(results: readonly GateResult[], { style, para }: Terminal): string | null {
  const failing = results.filter(({ outcome: { kind } }) => kind === 'failed' || kind === 'timed_out');
  const names = failing.map(({ name }) => name).join(', ');
  const none = results
    .filter(({ results }) => results !== null && ranNoTest(results))
    .map(({ name }) => name);
  const lines = [
    // Where no gate is left that passes, the first line of the run says so.
    ...(names === '' || failing.length === results.length
      ? []
      : [`Already failing before this run; ignored: ${names}`]),
    ...(none.length === 0
      ? []
      : [`0 tests: ${none.join(', ')} ran none, so it can't show that work is right. Check its command.`]),
  ];
  return lines.length === 0 ? null : lines.map((line) => style.yellow(para(line, '! '))).join('\n');
}

/** What trying the gates showed: whether each can fail, and whether it notices broken code. */
function triedText({ tried }: EntryOf<'baseline_taken'>, { style, para }: Terminal): string | null {
  const { fail, unknown, blind } = tried;
  const parts = [
    ...(fail.length === 0 ? [] : [`${fail.join(', ')} fails when a test fails`]),
    ...(unknown.length === 0 ? [] : [`ralph couldn't confirm that ${unknown.join(', ')} can fail`]),
  ];
  const texts = [
    ...blind.map(({ gate, made }) =>
      made.length === 0
        ? `${gate} passes with broken code, too: that it tests your code isn't shown`
        : `${gate} tests ${firstFew(made.map(pathText))}: changed code shows only once that is made anew`,
    ),
    ...(parts.length === 0 ? [] : [parts.join('; ')]),
  ];
  return texts.length === 0 ? null : texts.map((text) => style.dim(para(`gates: ${text}`, '  '))).join('\n');
}

function pushText(push: PushResult, { style, para }: Terminal): string {
  const [pushed, notPushed] = [pushedText({ push }), notPushedOf({ push })];
  return [
    ...(pushed === null ? [] : [style.dim(para(pushed, '  ', '    '))]),
    ...(notPushed === null ? [] : [style.yellow(para(notPushed.text, '! '))]),
    ...(notPushed?.next ? [`  ${style.cyan(notPushed.next)}`] : []),
  ].join('\n');
}

function boxText({ box: { line, outside } }: EntryOf<'run_started'>, { style, para }: Terminal): string {
  const gates = outside.length === 0 ? '' : `; outside of it, as you set: ${outside.join(', ')}`;
  return style.dim(para(`${line}${gates}`, '  ', '    '));
}

/** One line for each preflight finding; for something that could be better also the command that helps. */
export function preflightText(findings: readonly Checked[], { style, para }: Terminal): string {
  return findings
    .map(({ status, title, detail, fix }) => {
      const text = detail === '' ? title : `${title}: ${detail}`;
      if (status !== 'warning') return para(text, '  ');
      return style.yellow(para(fix === null ? text : `${text}. ${fix}`, '! '));
    })
    .join('\n');
}

/** Why no task is started, or no other one, and until when, or which command continues. */
export function waitText(wait: EntryOf<'wait_started'>['wait']): string {
  const now = new Date();
  if (wait.for === 'you') return `paused since ${clockTime(wait.since, now)} · ralph continue`;
  if (wait.for === 'answer')
    return `waiting until ${localTime(wait.until, now)} for your answer about ${firstFew(wait.tasks)}`;
  const { agent, cause, until, working } = wait;
  const what = `${agent}: ${CONSEQUENCES[cause].words}`;
  if (working > 0)
    return `${what}, nothing else starts until ${localTime(until, now)}; ${counted(working, 'task')} at work`;
  const left = countdown(Date.parse(until) - now.getTime());
  return `${what}, waiting ${left}, until ${localTime(until, now)}`;
}

function runText(event: EntryOf<'run_started'>, { style, para }: Terminal): string {
  const { run, tracker, agent, model, mode, until, tasks, asked, attempts, iterations, budget } = event;
  const open =
    asked === null ? counted(tasks.open, 'open task') : `${asked} of ${counted(tasks.total, 'task')}`;
  const unchecked = uncheckedText(event.unchecked, false);
  const each = `${counted(attempts, 'attempt')} each, ${iterations} in all`;
  const time = until === null ? 'no time limit' : `until ${clockTime(until, new Date())}`;
  const named = model === null ? '' : ` (model ${model})`;
  const blocked = tasks.blocked > 0 ? `, ${tasks.blocked} blocked` : '';
  const unverified = tasks.unverified > 0 ? `, ${tasks.unverified} ticked, not verified` : '';
  return [
    ...(unchecked === null ? [] : [style.yellow(para(unchecked, '! '))]),
    style.bold(para(`${open}, ${each}; ${costLimitText(budget)}; ${time}`)),
    para(
      `ralph ${run}, ${tracker}: ${tasks.done} of ${tasks.total} done${blocked}${unverified}`,
      '  ',
      '    ',
    ),
    para(`agent ${agent}${named}, mode ${mode}`, '  ', '    '),
  ].join('\n');
}

function reviewText({ agent, mode, how }: EntryOf<'review_planned'>, { style, para }: Terminal): string {
  return {
    hook: style.dim(para(`review: actions of ${agent} are reviewed before they run (${how})`, '  ', '    ')),
    detect: style.yellow(
      para(
        `${agent} can't be stopped before it acts: actions are seen once started; a forbidden one ends the attempt. Why: ${how}.`,
        '! ',
      ),
    ),
    off: style.yellow(
      para(`Actions of ${agent} aren't reviewed: ${how}. Only files and gates are checked.`, '! '),
    ),
  }[mode];
}

/** "attempt 2 of 3". Without the limit where the number exceeds it: some attempts don't count. */
export function attemptText(attempt: number, maxAttempts: number): string {
  return attempt > maxAttempts ? `attempt ${attempt}` : `attempt ${attempt} of ${maxAttempts}`;
}

function startText(event: EntryOf<'iteration_started'>, terminal: Terminal): string {
  const { style, para } = terminal;
  const { takesOver } = event;
  const attempt = event.attempt > 1 ? `, ${attemptText(event.attempt, event.maxAttempts)}` : '';
  return [
    ...(takesOver === undefined ? [] : ['', takeoverText(event.agent, takesOver, terminal)]),
    '',
    para(`${style.bold(`#${event.iteration} ${event.taskId}`)} ${event.title}`, '', '  '),
    style.dim(para(`${event.agent}${attempt}, ${limitText(event)}`, '  ')),
  ].join('\n');
}

function takeoverText(
  agent: string,
  { from, reason }: NonNullable<EntryOf<'iteration_started'>['takesOver']>,
  { style, para }: Terminal,
): string {
  const why = reason.startsWith(`${from}: `) ? reason.slice(from.length + 2) : reason;
  const text = `${agent} takes over from ${from}: ${withLocalTimes(why, new Date())}`;
  return style.yellow(para(text, '! '));
}

/** "limit 2 min", or "limit 8 s (set in the task)". `ralph explain` shows how a limit is worked out. */
function limitText({ limitSeconds, timeoutReason }: EntryOf<'iteration_started'>): string {
  return `limit ${timeoutReason.includes(' = ') ? formatDuration(limitSeconds * 1000) : timeoutReason}`;
}

function endText(entry: EntryOf<'iteration_finished'>, terminal: Terminal, isLasting: boolean): string {
  const { style, para } = terminal;
  const { attempt, budget, iteration, taskId } = entry;
  const { durationMs, cause, model } = attempt;
  const kind = attempt.verdict;
  const mark = kind === 'done' ? style.green('✔') : kind === 'progress' ? style.cyan('…') : style.red('✖');
  const head = `  ${mark} ${style.bold(VERDICT_WORD[kind])} (${formatDuration(durationMs)}): `;
  const lines = [para(withLocalTimes(cause, new Date()), head, '    ')];
  // "claude-sonnet-4-5, 3,702 tokens, $0.01": the parts that the agent reports.
  const spent = spentOf(allSpend(entry));
  const share = budget === null ? '' : budgetText(budget.limits, budget.spent);
  const parts = [
    ...(model === null ? [] : [model]),
    ...(spent.tokens === 0 ? [] : [spentText(spent)]),
    ...(share === '' ? [] : [`budget ${share}`]),
  ];
  const used = parts.join(', ');
  if (used !== '') lines.push(style.dim(para(used, '    ')));
  if (entry.blocked !== null) lines.push(style.red(`    ${taskId} is blocked now.`));
  if (kind !== 'done' && isLasting) lines.push(style.dim(`    ralph logs ${iteration}`));
  return [...lines, ...consequences(entry, terminal)].join('\n');
}

/** What follows an iteration: interventions, or the recovery where rules found a failure. */
function consequences(
  { iteration, recovering, events, interventions, rollback }: EntryOf<'iteration_finished'>,
  terminal: Terminal,
): string[] {
  const { style, para } = terminal;
  const recovery =
    recovering !== null && hasMoved(recovering, iteration) ? recoveryLine(recovering, terminal) : null;
  return [
    ...(recovery === null ? [] : [recovery]),
    ...events
      .filter(({ event_type }) => event_type === 'rule_failed')
      .map(({ details }) => warning(String(details.summary), terminal)),
    ...new Set(
      interventions.flatMap(({ type }) => {
        // A rollback and an emergency stop are printed by entries of their own.
        if (type === 'emergency_stop' || (type === 'checkpoint_rollback' && rollback !== null)) return [];
        const effect = type === 'checkpoint_rollback' ? NO_CHECKPOINT : EFFECT[type];
        return [style.dim(para(`${effect}.`, '    '))];
      }),
    ),
  ];
}

/** The result of a gate in one line, and whether it counts. */
export function gateText(
  { name, standing: status, why }: Pick<GateJudgement, 'name' | 'standing' | 'why'>,
  { style }: Terminal,
): string {
  return {
    passed: style.green(`✔ ${name}`),
    fixed: style.green(`✔ ${name} (failed before, passes now)`),
    regression: style.red(`✖ ${name} (passed before this task)`),
    required_failed: style.red(`✖ ${name} (required)`),
    failed_before: style.yellow(`– ${name} was already failing before this run; ignored`),
    down: style.yellow(`– ${name} fails without the work, too; it is asked again`),
    tool_missing: style.yellow(`– ${name}: its tool is missing`),
    hollow: style.red(`✖ ${name} (checks nothing any more)`),
    tests_missing: style.red(`✖ ${name} (passes, but ${why ?? 'tests are gone'})`),
    dead: style.red(`✖ ${name} (can't fail any more)`),
    rewritten: style.red(`✖ ${name} (it writes the code that it tests)`),
    tests_failed: style.red(`✖ ${name} (passes, but ${why ?? 'reports failed tests'})`),
    skipped: style.dim(`– ${name} skipped`),
  }[status];
}

function gatesText(
  { baseline, judgements, results }: EntryOf<'gates_finished'>,
  terminal: Terminal,
): string | null {
  const { style, para } = terminal;
  if (judgements.length === 0) return baselineText(baseline, terminal);
  return judgements
    .flatMap((judgement) => {
      const tests = results.find(({ gate }) => gate === judgement.name);
      const line = `  ${gateText(judgement, terminal)}`;
      const text = tests === undefined ? '' : resultsText(tests);
      return text === '' ? [line] : [line, style.dim(para(text, '    '))];
    })
    .join('\n');
}

function takenUpText(
  { taskId, applied, paths }: EntryOf<'work_taken_up'>,
  { style, para }: Terminal,
): string {
  const text = applied
    ? `${taskId} begins with its earlier work (${counted(paths.length, 'file')}).`
    : `The earlier work at ${taskId} doesn't apply any more; the agent is shown it.`;
  return style.dim(para(text, '  '));
}

/** An escalation prints no line: its panel follows. */
function recoveryLine(recovering: Recovery, { style, para }: Terminal): string | null {
  const { id, taskId, maxAttempts, ended } = recovering;
  const next = adaptationOf(recovering);
  if (ended?.how === 'recovered') return style.green(para(`${id}: ${taskId} has recovered.`, '    '));
  if (next === null) return null;
  const { attempt } = next;
  return style.yellow(
    para(`${id}: recovery attempt ${attempt} of ${maxAttempts} comes next: ${changesOf(next)}`, '    '),
  );
}
