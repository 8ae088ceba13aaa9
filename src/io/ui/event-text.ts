import type { GateJudgement } from '../../domain/gate.ts';
import type { LoopEvent } from '../../domain/loop-event.ts';
import { acceptedLines } from '../../domain/records/marks.ts';
import { UNAVAILABLE_WORDS } from '../../domain/records/state.ts';
import { notPushedOf } from '../../domain/report-items.ts';
import { uncheckedText } from '../../domain/run-report.ts';
import { ranNoTest, resultsText } from '../../domain/test-results.ts';
import type { VerdictKind } from '../../domain/verdict.ts';
import { keptText, takeCommand } from '../../domain/work-place.ts';
import { counted } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import { match } from '../../lib/match.ts';
import { firstFew, pathText } from '../../lib/text.ts';
import { budgetLine, budgetText, checkpointLine, costLimitText, spentText, stopLine } from './policy-text.ts';
import { pushedText, reportText } from './run-report.ts';
import type { Terminal } from './terminal.ts';
import { clockTime, countdown, localTime, withLocalTimes } from './times.ts';

type Of<K extends LoopEvent['kind']> = Extract<LoopEvent, { kind: K }>;

/** What each verdict is called on screen. */
export const VERDICT_WORD: Readonly<Record<VerdictKind, string>> = {
  done: 'done',
  already_done: 'done before, by its word',
  progress: 'progress',
  no_files: 'no files written',
  false_completion: 'false completion',
  incomplete: 'incomplete',
  gates_failed: 'gates failed',
  changes_requested: 'changes requested',
  timed_out: 'timed out',
  agent_error: 'agent error',
  review_blocked: 'not accepted',
  rolled_back: 'rolled back',
  agent_blocked: 'agent is blocked',
  rate_limited: 'usage limit',
  auth: 'not signed in',
  outage: 'service out of reach',
  spawn_failed: 'agent not started',
  gate_down: 'gate is down',
  interrupted: 'interrupted',
  conflict: 'conflict',
  awaiting_human: 'waiting for you',
};

/** What an intervention means for what comes next. A rollback and an emergency stop have events of their own. */
const EFFECT: Readonly<Record<Of<'intervention'>['type'], string>> = {
  soft_correction: 'the agent will be warned in its next attempt',
  context_reinforcement: 'the next prompt restates the task',
  resource_throttling: 'the next attempts get lower limits',
  checkpoint_rollback: 'there is no safe checkpoint to go back to; the task waits for you',
};

function acceptedText({ tasks }: Of<'tasks_accepted'>, { para }: Terminal): string {
  return acceptedLines(tasks)
    .map((line) => para(line, '  ', '    '))
    .join('\n');
}

/**
 * What an event of a run prints, without the last line end; `null`: nothing.
 *
 * @param isLasting Its records are there afterwards, so commands that show them work.
 */
export function eventText(event: LoopEvent, terminal: Terminal, isLasting = true): string | null {
  const { style, para } = terminal;
  return match(event, 'kind', {
    run_started: (event) => runText(event, terminal),
    box_planned: (event) => boxText(event, terminal),
    review_planned: (event) => reviewText(event, terminal),
    guidance_sent: (event) => style.dim(para(`to ${event.agent}: ${event.text}`, '  ', '    ')),
    tasks_accepted: (event) => acceptedText(event, terminal),
    warning: (event) => style.yellow(para(withLocalTimes(event.message, new Date()), '! ')),
    baseline_started: (event) =>
      terminal.style.dim(terminal.para(`Running gates for a baseline: ${event.gates.join(', ')}`, '  ')),
    baseline_finished: (event) => {
      const failing = event.results.filter(
        ({ outcome: { kind } }) => kind === 'failed' || kind === 'timed_out',
      );
      const names = failing.map(({ name }) => name).join(', ');
      const none = event.results
        .filter(({ results }) => results !== null && ranNoTest(results))
        .map(({ name }) => name);
      const lines = [
        // Where none is left, the run's first line says so.
        ...(names === '' || failing.length === event.results.length
          ? []
          : [`Already failing before this run; ignored: ${names}`]),
        ...(none.length === 0
          ? []
          : [
              `0 tests: ${none.join(', ')} ran none, so it can't show that work is right. Check its command.`,
            ]),
      ];
      return lines.length === 0 ? null : lines.map((line) => style.yellow(para(line, '! '))).join('\n');
    },
    gates_tried: ({ fail, unknown }) => {
      const parts = [
        ...(fail.length === 0 ? [] : [`a failing test fails ${fail.join(', ')}`]),
        ...(unknown.length === 0 ? [] : [`whether ${unknown.join(', ')} can fail isn't checked`]),
      ];
      return parts.length === 0 ? null : style.dim(para(`gates: ${parts.join('; ')}`, '  '));
    },
    gate_not_shown: ({ gate, made }) => {
      const what =
        made.length === 0
          ? `${gate} passes with broken code, too: that it tests your code isn't shown`
          : `${gate} tests ${firstFew(made.map(pathText))}: changed code shows only once that is made anew`;
      return style.dim(para(`gates: ${what}`, '  '));
    },
    iteration_started: (event) => startText(event, terminal),
    agent_event: () => null,
    agent_finished: () => null,
    gate_started: () => null,
    gate_finished: () => null,
    roles_started: (event) =>
      style.dim(para(`${event.phase === 'plan' ? 'plan' : 'review'}: ${event.roles.join(', ')}`, '  ')),
    role_finished: () => null,
    roles_finished: (event) =>
      event.results
        .map(({ role, outcome }) => terminal.style.dim(terminal.para(`${role}: ${outcome}`, '    ')))
        .join('\n'),
    gates_started: (event) => style.dim(para(`gates: ${event.gates.join(', ')}`, '  ')),
    gates_finished: (event) => gatesText(event, terminal),
    phase_entered: () => null,
    iteration_finished: (event) => endText(event, terminal, isLasting),
    committed: (event) =>
      style.dim(`    committed ${event.commit.slice(0, 10)} (${counted(event.paths, 'file')})`),
    task_unblocked: (event) => {
      const { taskId, strategy, reason, timeoutSeconds, automatic } = event;
      const timeout = timeoutSeconds === null ? '' : `, limit ${formatDuration(timeoutSeconds * 1000)}`;
      const how = `${automatic ? 'automatically, ' : ''}${strategy ?? 'as you said'}${timeout}`;
      return style.cyan(para(`${taskId} is unblocked (${how}): ${reason}`, '  ', '    '));
    },
    waiting: (event) => para(waitText(event), '  '),
    waited: (event) =>
      event.stopped ? null : style.dim(`  waited ${formatDuration(event.durationMs)}, continuing`),
    paused: (event) => para(pausedText(event), '  '),
    unpaused: ({ continued, durationMs }) =>
      continued ? style.dim(`  continuing after ${formatDuration(durationMs)}`) : null,
    agent_switched: (event) => {
      const { agent, from, reason } = event;
      const why = reason.startsWith(`${from}: `) ? reason.slice(from.length + 2) : reason;
      const text = `${agent} takes over from ${from}: ${withLocalTimes(why, new Date())}`;
      return `\n${style.yellow(para(text, '! '))}`;
    },
    intervention: (event) =>
      style.dim(para(`${event.issue.replaceAll('_', ' ')}: ${EFFECT[event.type]}`, '    ')),
    recovery: (event) => recoveryLine(event, terminal),
    rolled_back: (event) => {
      const text = `The next attempt begins without it (${counted(event.paths, 'file')}).`;
      return style.yellow(`    ${text} ${keptText(takeCommand(event.taskId))}`);
    },
    set_aside: ({ taskId }) => style.yellow(`    ${keptText(takeCommand(taskId))}`),
    taken_up: (event) => takenUpText(event, terminal),
    incident: (event) =>
      [
        event.scope === 'run'
          ? `\n${style.red.bold(`■ Emergency stop ${event.id}`)}`
          : `\n${style.yellow.bold(`■ ${event.id}: ${event.taskId} waits for you`)}`,
        para(event.summary, '  '),
        style.dim(`  ${event.path}`),
      ].join('\n'),
    human_gate: ({ panel }) => `\n${style.yellow(panel)}`,
    human_gate_over: ({ id, taskId, option }) => para(`${id} (${taskId}): ${option}`, '  ', '    '),
    preflight: ({ findings }) => preflightText(findings, terminal),
    checkpoint_taken: (event) => checkpointLine(event, terminal),
    push_ended: (event) => pushText(event, terminal),
    budget: (event) => budgetLine(event, terminal),
    policy_stopped: (event) => stopLine(event, terminal),
    run_finished: (event) => `\n${reportText(event.report, terminal)}`,
  });
}

function pushText({ result: push }: Of<'push_ended'>, { style, para }: Terminal): string {
  const [pushed, notPushed] = [pushedText({ push }), notPushedOf({ push })];
  return [
    ...(pushed === null ? [] : [style.dim(para(pushed, '  ', '    '))]),
    ...(notPushed === null ? [] : [style.yellow(para(notPushed.text, '! '))]),
    ...(notPushed?.next ? [`  ${style.cyan(notPushed.next)}`] : []),
  ].join('\n');
}

function boxText({ line, outside }: Of<'box_planned'>, { style, para }: Terminal): string {
  const gates = outside.length === 0 ? '' : `; outside of it, as you set: ${outside.join(', ')}`;
  return style.dim(para(`${line}${gates}`, '  ', '    '));
}

/** A line for each; of what could be better, the command too. */
export function preflightText(findings: Of<'preflight'>['findings'], { style, para }: Terminal): string {
  return findings
    .map(({ status, title, detail, fix }) => {
      const text = detail === '' ? title : `${title}: ${detail}`;
      if (status !== 'warning') return para(text, '  ');
      return style.yellow(para(fix === null ? text : `${text}. ${fix}`, '! '));
    })
    .join('\n');
}

/** Why nothing is done, or nothing else, and until when. */
export function waitText({ agent, cause, until, working }: Of<'waiting'>): string {
  const now = new Date();
  const what = `${agent}: ${UNAVAILABLE_WORDS[cause]}`;
  if (working > 0)
    return `${what}, nothing else starts until ${localTime(until, now)}; ${counted(working, 'task')} at work`;
  const left = countdown(Date.parse(until) - now.getTime());
  return `${what}, waiting ${left}, until ${localTime(until, now)}`;
}

/** Why nothing is done, and the command that continues. */
export function pausedText({ since }: Of<'paused'>): string {
  return `paused since ${clockTime(since, new Date())} · ralph continue`;
}

function runText(event: Of<'run_started'>, { style, para }: Terminal): string {
  const { run, tracker, agent, model, mode, until, tasks, attempts, iterations, budget } = event;
  const unchecked = uncheckedText(event.unchecked, false);
  const each = `${counted(attempts, 'attempt')} each, ${iterations} in all`;
  const time = until === null ? 'no time limit' : `until ${clockTime(until, new Date())}`;
  const named = model === null ? '' : ` (model ${model})`;
  const blocked = tasks.blocked > 0 ? `, ${tasks.blocked} blocked` : '';
  const unverified = tasks.unverified > 0 ? `, ${tasks.unverified} ticked, not verified` : '';
  return [
    ...(unchecked === null ? [] : [style.yellow(para(unchecked, '! '))]),
    style.bold(para(`${counted(tasks.open, 'open task')}, ${each}; ${costLimitText(budget)}; ${time}`)),
    para(
      `ralph ${run}, ${tracker}: ${tasks.done} of ${tasks.total} done${blocked}${unverified}`,
      '  ',
      '    ',
    ),
    para(`agent ${agent}${named}, mode ${mode}`, '  ', '    '),
  ].join('\n');
}

function reviewText({ agent, mode, how }: Of<'review_planned'>, { style, para }: Terminal): string {
  return {
    hook: style.dim(para(`review: ${agent} asks before it acts (${how})`, '  ', '    ')),
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

/** "attempt 2 of 3": some don't count, so there may be more. */
export function attemptText(attempt: number, maxAttempts: number): string {
  return attempt > maxAttempts ? `attempt ${attempt}` : `attempt ${attempt} of ${maxAttempts}`;
}

function startText(event: Of<'iteration_started'>, { style, para }: Terminal): string {
  const attempt = event.attempt > 1 ? `, ${attemptText(event.attempt, event.maxAttempts)}` : '';
  return [
    '',
    para(`${style.bold(`#${event.iteration} ${event.taskId}`)} ${event.title}`, '', '  '),
    style.dim(para(`${event.agent}${attempt}, ${limitText(event)}`, '  ')),
  ].join('\n');
}

/** "limit 2 min", or "limit 8 s (set in the task)"; how a limit is worked out, `ralph explain` shows. */
function limitText({ timeoutSeconds, timeoutReason }: Of<'iteration_started'>): string {
  return `limit ${timeoutReason.includes(' = ') ? formatDuration(timeoutSeconds * 1000) : timeoutReason}`;
}

function endText(event: Of<'iteration_finished'>, { style, para }: Terminal, isLasting: boolean): string {
  // What led to a rollback is what ended the attempt.
  const { verdict } = event;
  const kind = verdict.kind === 'rolled_back' ? verdict.instead : verdict.kind;
  const mark = kind === 'done' ? style.green('✔') : kind === 'progress' ? style.cyan('…') : style.red('✖');
  const head = `  ${mark} ${style.bold(VERDICT_WORD[kind])} (${formatDuration(event.durationMs)}): `;
  const lines = [para(withLocalTimes(event.cause, new Date()), head, '    ')];
  // "claude-sonnet-4-5, 3,702 tokens, $0.01": as far as the agent reports it.
  const { model, spent, budget } = event;
  const share = budgetText(budget.limits, budget.spent);
  const parts = [
    ...(model === null ? [] : [model]),
    ...(spent.tokens === 0 ? [] : [spentText(spent)]),
    ...(share === '' ? [] : [`budget ${share}`]),
  ];
  const used = parts.join(', ');
  if (used !== '') lines.push(style.dim(para(used, '    ')));
  if (event.blocked) lines.push(style.red(`    ${event.taskId} is blocked now.`));
  if (kind !== 'done' && isLasting) lines.push(style.dim(`    ralph logs ${event.iteration}`));
  return lines.join('\n');
}

/** A gate, and how it counts. */
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

function gatesText({ judgements, results }: Of<'gates_finished'>, terminal: Terminal): string | null {
  const { style, para } = terminal;
  if (judgements.length === 0) return null;
  return judgements
    .flatMap((judgement) => {
      const tests = results.find(({ gate }) => gate === judgement.name);
      const line = `  ${gateText(judgement, terminal)}`;
      const text = tests === undefined ? '' : resultsText(tests);
      return text === '' ? [line] : [line, style.dim(para(text, '    '))];
    })
    .join('\n');
}

function takenUpText({ taskId, applied, paths }: Of<'taken_up'>, { style, para }: Terminal): string {
  const text = applied
    ? `${taskId} begins with its earlier work (${counted(paths, 'file')}).`
    : `The earlier work at ${taskId} doesn't apply any more; the agent is shown it.`;
  return style.dim(para(text, '  '));
}

/** An escalation needs no line of its own: the panel follows. */
function recoveryLine(
  { id, taskId, attempt, maxAttempts, next, ended }: Extract<LoopEvent, { kind: 'recovery' }>,
  { style, para }: Terminal,
): string | null {
  if (ended === 'recovered') return style.green(para(`${id}: ${taskId} has recovered.`, '    '));
  if (next === null) return null;
  return style.yellow(
    para(`${id}: recovery attempt ${attempt} of ${maxAttempts} comes next: ${next}`, '    '),
  );
}
