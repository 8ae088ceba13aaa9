import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { firstFew, pathText } from 'ralph-kit/text';
import type { Checked, Entry, EntryOf } from '../domain/entry.ts';
import type { GateJudgement, GateResult } from '../domain/gate.ts';
import { adaptationOf, changesOf, hasMoved, type Recovery } from '../domain/human/recovery.ts';
import { BUDGET_STEPS, shareText } from '../domain/policy.ts';
import type { PushResult } from '../domain/push.ts';
import { strategyWord } from '../domain/records/blocked.ts';
import { acceptedLines } from '../domain/records/marks.ts';
import { CONSEQUENCES, retryText } from '../domain/service.ts';
import { allSpend, spentOf } from '../domain/spend.ts';
import { ranNoTests, resultsText } from '../domain/test-results.ts';
import { keptText, takeCommand } from '../domain/work-place.ts';
import { cutOffText } from './attempt.ts';
import { decideCommand, logCommand } from './commands.ts';
import { EFFECT, notPushedOf } from './items.ts';
import type { Line, Tone } from './line.ts';
import { budgetText, costLimitText, spentText } from './money.ts';
import { pushedText, uncheckedText } from './report-text.ts';
import { clock, clockTime, localTime, withLocalTimes } from './times.ts';
import { attemptText, limitText, VERDICT_WORD } from './words.ts';

/** Maximum number of files in a message. */
const SHOWN = 5;

type When = {
  readonly now: Date;
  /** Whether the records of the run remain afterwards, so that commands that show them work. */
  readonly isLasting: boolean;
};

type Lines<T extends Entry['type']> = (entry: EntryOf<T>, when: When) => readonly Line[];

/** Lines of each type of entry. Entries of other types aren't printed. */
const LINES: { readonly [T in Entry['type']]?: Lines<T> } = {
  run_started: runLines,
  setup_checked: ({ findings }) => preflightLines(findings),
  warned: ({ message }, when) => [warning(message, when)],
  review_planned: reviewLines,
  guidance_sent: ({ agent, text }) => [aside(`to ${agent}: ${text}`)],
  tasks_accepted: acceptedNews,
  gates_started: ({ gates, baseline, one }) =>
    one === null
      ? [
          {
            text: `${baseline ? 'Running gates for a baseline' : 'gates'}: ${gates.join(', ')}`,
            lead: '  ',
            tone: 'dim',
          },
        ]
      : [],
  gates_finished: gatesLines,
  baseline_taken: triedLines,
  iteration_started: startLines,
  iteration_finished: endLines,
  iteration_interrupted: ({ iteration, taskId, run }, when) => [
    warning(`Run ${run}: ${cutOffText(iteration, taskId)}`, when),
  ],
  // The live line shows every try; of the others ever fewer are printed.
  agent_reported: ({ retry }) =>
    retry === undefined || (retry.attempt & (retry.attempt - 1)) !== 0 ? [] : [aside(retryText(retry))],
  roles_started: ({ phase, roles }) => [
    { text: `${phase === 'plan' ? 'plan' : 'review'}: ${roles.join(', ')}`, lead: '  ', tone: 'dim' },
  ],
  roles_finished: ({ results }) => results.map(({ role, outcome }) => below(`${role}: ${outcome}`, 'dim')),
  work_landed: ({ commit, paths }) =>
    commit === null
      ? []
      : [copied(`    committed ${commit.slice(0, 10)} (${counted(paths, 'file')})`, 'dim')],
  commit_skipped: ({ taskId, reason }, when) => [warning(`${taskId} is verified and waits: ${reason}`, when)],
  tasks_reopened: ({ tasks, reason, setAside }, when) => {
    const ids = tasks.map(({ taskId }) => taskId);
    const place = setAside === undefined ? '' : ` ${keptText(takeCommand(ids.join(', ')))}`;
    return [
      warning(`${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} open again: ${reason}.${place}`, when),
    ];
  },
  task_unblocked: ({ taskId, strategy, reason, timeoutSeconds, automatic }) => {
    const timeout = timeoutSeconds === null ? '' : `, ${limitText(timeoutSeconds)}`;
    const what = strategy === null ? 'as you said' : strategyWord(strategy);
    const how = `${automatic ? 'automatically, ' : ''}${what}${timeout}`;
    return [{ ...aside(`${taskId} is unblocked (${how}): ${reason}`), tone: 'command' }];
  },
  trees_lost: (_, when) => [
    warning(
      'This repository no longer holds what earlier attempts left in it, as after a fresh clone. Tasks continue from the tree as it is.',
      when,
    ),
  ],
  outputs_seen: outputsLines,
  rollback_finished: ({ taskId, paths }) => {
    if (paths.length === 0)
      return [below('No file was changed: the next attempt starts over in a fresh session.', 'dim')];
    const text = `    The next attempt begins without it (${counted(paths.length, 'file')}). `;
    return taskId === null ? [] : [copied(`${text}${keptText(takeCommand(taskId))}`, 'warning')];
  },
  work_set_aside: ({ taskId, why, setAside }) =>
    why !== 'ended' || setAside === null ? [] : [copied(`    ${keptText(takeCommand(taskId))}`, 'warning')],
  work_taken_up: ({ taskId, applied, paths }) => [
    {
      text: applied
        ? `${taskId} begins with its earlier work (${counted(paths.length, 'file')}).`
        : `The earlier work at ${taskId} doesn't apply any more; the agent is shown it.`,
      lead: '  ',
      tone: 'dim',
    },
  ],
  incident_opened: ({ incident: { id, taskId, scope, summary } }) => [
    { text: '' },
    scope === 'run'
      ? { text: '', strong: `■ Emergency stop ${id}`, tone: 'bad' }
      : { text: '', strong: `■ ${id}: ${taskId} waits for you`, tone: 'warning' },
    { text: summary, lead: '  ' },
    copied(`  .ralph/incidents/${id}.json`, 'dim'),
  ],
  human_gate_timed_out: ({ request, taskId, became }) => {
    const decide = became === 'escalated' ? `. Decide: ${decideCommand(request)}` : '';
    return [
      { text: `${request} (${taskId}): not decided in time; ${became}${decide}`, lead: '  ', indent: '    ' },
    ];
  },
  false_positives_told: ({ texts }, when) =>
    texts.length === 0
      ? []
      : [warning(`${texts.join('; ')}. ralph whitelist add lets pass what is fine.`, when)],
  events_added: ({ summary }, when) => (summary === null ? [] : [warning(summary, when)]),
  wait_started: ({ wait }, { now }) => [{ text: waitText(wait, now), lead: '  ' }],
  wait_finished: ({ for: what, over, durationMs }) => {
    const took = formatDuration(durationMs);
    const text = what === 'you' ? `continuing after ${took}` : `waited ${took}, continuing`;
    return over ? [copied(`  ${text}`, 'dim')] : [];
  },
  checkpoint_taken: checkpointLines,
  push_ended: (entry) => (entry.isNews ? pushLines(entry) : []),
  budget_reached: ({ at, limits, spent }) => [
    { text: `${STEPS[at]}: ${budgetText(limits, spent)}.`, lead: '! ', tone: 'warning' },
  ],
  policy_stopped: stopLines,
};

/** Returns what an entry prints; empty: nothing. Reports of runs and requests for decisions have layouts of their own. */
export function entryLines(entry: Entry, when: When): readonly Line[] {
  return linesOf(entry.type)?.(entry, when) ?? [];
}

/** Returns whether entries of this type may print something. */
export function isPrinted(type: Entry['type']): boolean {
  return type === 'human_gate_opened' || type === 'run_reported' || linesOf(type) !== undefined;
}

function linesOf<T extends Entry['type']>(type: T): Lines<Entry['type']> | undefined {
  return LINES[type] as Lines<Entry['type']> | undefined;
}

function warning(message: string, { now }: When): Line {
  return { text: withLocalTimes(message, now), lead: '! ', tone: 'warning' };
}

function aside(text: string): Line {
  return { text, lead: '  ', indent: '    ', tone: 'dim' };
}

function below(text: string, tone: Tone): Line {
  return { text, lead: '    ', tone };
}

/** Returns a line that is never broken, because you copy from it. */
function copied(text: string, tone: Tone): Line {
  return { text, tone, isWhole: true };
}

/** Returns the lines about accepted tasks, without those that you or an import accepted: you know of them. */
function acceptedNews({ tasks }: EntryOf<'tasks_accepted'>): Line[] {
  const news = tasks.filter(({ doneBy: { kind } }) => kind !== 'you' && kind !== 'import');
  return acceptedLines(news).map((text) => ({ text, lead: '  ', indent: '    ' }));
}

function outputsLines({ by, paths }: EntryOf<'outputs_seen'>, when: When): Line[] {
  if (by === 'gates') return [];
  const them = paths.length === 1 ? 'it' : 'them';
  const named = firstFew(paths.map(pathText), SHOWN);
  return [
    warning(
      `Git doesn't ignore ${named}. Commits leave ${them} out, and ralph doesn't count ${them} as work. Add ${them} to .gitignore.`,
      when,
    ),
  ];
}

/** Returns lines about gates of a baseline that fail already, and about those that ran no test. */
function baselineLines(results: readonly GateResult[]): Line[] {
  const failing = results.filter(({ outcome: { kind } }) => kind === 'failed' || kind === 'timed_out');
  const names = failing.map(({ name }) => name).join(', ');
  const none = ranNoTests(results).join(', ');
  const texts = [
    // If all gates fail, the run's first line says so.
    ...(names === '' || failing.length === results.length
      ? []
      : [`Already failing before this run; ignored: ${names}`]),
    ...(none === ''
      ? []
      : [`0 tests: ${none} ran none, so it can't show that work is right. Check its command.`]),
  ];
  return texts.map((text) => ({ text, lead: '! ', tone: 'warning' }));
}

/** Returns lines about trying out whether gates can fail. */
function triedLines({ tried }: EntryOf<'baseline_taken'>): Line[] {
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
  return texts.map((text) => ({ text: `gates: ${text}`, lead: '  ', tone: 'dim' }));
}

function pushLines(push: PushResult): Line[] {
  const [pushed, notPushed] = [pushedText({ push }), notPushedOf({ push })];
  return [
    ...(pushed === null ? [] : [aside(pushed)]),
    ...(notPushed === null ? [] : [{ text: notPushed.text, lead: '! ', tone: 'warning' as const }]),
    ...(notPushed?.next
      ? [{ text: notPushed.next, lead: '  ', tone: 'command' as const, isWhole: true }]
      : []),
  ];
}

/** Returns a line for each finding. One about what could be better has its command, too. */
export function preflightLines(findings: readonly Checked[]): Line[] {
  return findings.map(({ status, title, detail, fix }) => {
    const text = detail === '' ? title : `${title}: ${detail}`;
    if (status !== 'warning') return { text, lead: '  ' };
    return { text: fix === null ? text : `${text}. ${fix}`, lead: '! ', tone: 'warning' };
  });
}

/** Returns why nothing is done, or nothing else, and until when, or the command that continues. */
export function waitText(wait: EntryOf<'wait_started'>['wait'], now: Date): string {
  if (wait.for === 'you') return `paused since ${clockTime(wait.since, now)} · ralph continue`;
  if (wait.for === 'answer')
    return `waiting until ${localTime(wait.until, now)} for your answer about ${firstFew(wait.tasks)}`;
  const { agent, cause, until, working } = wait;
  const what = `${agent}: ${CONSEQUENCES[cause].words}`;
  if (working > 0)
    return `${what}, nothing else starts until ${localTime(until, now)}; ${counted(working, 'task')} at work`;
  const left = clock(Date.parse(until) - now.getTime());
  return `${what}, waiting ${left}, until ${localTime(until, now)}`;
}

function runLines(event: EntryOf<'run_started'>, { now }: When): Line[] {
  const { run, tracker, agent, model, mode, until, tasks, asked, attempts, iterations, budget, box } = event;
  const open =
    asked === null ? counted(tasks.open, 'open task') : `${asked} of ${counted(tasks.total, 'task')}`;
  const unchecked = uncheckedText(event.unchecked, false);
  const each = `${counted(attempts, 'attempt')} each, ${iterations} in all`;
  const time = until === null ? 'no time limit' : `until ${clockTime(until, now)}`;
  const blocked = tasks.blocked > 0 ? `, ${tasks.blocked} blocked` : '';
  const unverified = tasks.unverified > 0 ? `, ${tasks.unverified} ticked, not verified` : '';
  const outside = box.outside.length === 0 ? '' : `; outside of it, as you set: ${box.outside.join(', ')}`;
  return [
    ...(unchecked === null ? [] : [{ text: unchecked, lead: '! ', tone: 'warning' as const }]),
    { text: `${open}, ${each}; ${costLimitText(budget, now)}; ${time}`, tone: 'strong' },
    {
      text: `ralph ${run}, ${tracker}: ${tasks.done} of ${tasks.total} done${blocked}${unverified}`,
      lead: '  ',
      indent: '    ',
    },
    {
      text: `agent ${agent}${model === null ? '' : ` (model ${model})`}, mode ${mode}`,
      lead: '  ',
      indent: '    ',
    },
    aside(`${box.line}${outside}`),
  ];
}

function reviewLines({ agent, mode, how }: EntryOf<'review_planned'>): Line[] {
  if (mode === 'hook') return [aside(`review: actions of ${agent} are reviewed before they run (${how})`)];
  const text =
    mode === 'detect'
      ? `${agent} can't be stopped before it acts: actions are seen once started; a forbidden one ends the attempt. Why: ${how}.`
      : `Actions of ${agent} aren't reviewed: ${how}. Only files and gates are checked.`;
  return [{ text, lead: '! ', tone: 'warning' }];
}

function startLines(event: EntryOf<'iteration_started'>, { now }: When): Line[] {
  const { takesOver, iteration, taskId, title, agent, maxAttempts, limitSeconds, timeoutReason } = event;
  const attempt = event.attempt > 1 ? `, ${attemptText(event.attempt, maxAttempts)}` : '';
  // `ralph explain` shows how a limit was calculated.
  const limit = timeoutReason.includes(' = ') ? limitText(limitSeconds) : `limit ${timeoutReason}`;
  return [
    ...(takesOver === undefined ? [] : [{ text: '' }, takeoverLine(agent, takesOver, now)]),
    { text: '' },
    { text: title, strong: `#${iteration} ${taskId}`, indent: '  ' },
    { text: `${agent}${attempt}, ${limit}`, lead: '  ', tone: 'dim' },
  ];
}

function takeoverLine(
  agent: string,
  { from, reason }: NonNullable<EntryOf<'iteration_started'>['takesOver']>,
  now: Date,
): Line {
  const why = reason.startsWith(`${from}: `) ? reason.slice(from.length + 2) : reason;
  return {
    text: `${agent} takes over from ${from}: ${withLocalTimes(why, now)}`,
    lead: '! ',
    tone: 'warning',
  };
}

const DONE = { text: '✔', tone: 'good' } as const;
const PROGRESS = { text: '…', tone: 'command' } as const;
const FAILED = { text: '✖', tone: 'bad' } as const;

function endLines(entry: EntryOf<'iteration_finished'>, when: When): Line[] {
  const { attempt, budget, iteration, taskId, blocked } = entry;
  const { durationMs, cause, model, verdict } = attempt;
  const spent = spentOf(allSpend(entry));
  const share = budget === null ? '' : budgetText(budget.limits, budget.spent);
  const used = [
    ...(model === null ? [] : [model]),
    ...(spent.tokens === 0 ? [] : [spentText(spent)]),
    ...(share === '' ? [] : [`budget ${share}`]),
  ].join(', ');
  return [
    {
      sign: verdict === 'done' ? DONE : verdict === 'progress' ? PROGRESS : FAILED,
      strong: VERDICT_WORD[verdict],
      text: `(${formatDuration(durationMs)}): ${withLocalTimes(cause, when.now)}`,
      lead: '  ',
      indent: '    ',
    },
    ...(used === '' ? [] : [below(used, 'dim')]),
    ...(blocked === null ? [] : [copied(`    ${taskId} is blocked now.`, 'bad')]),
    ...(verdict !== 'done' && when.isLasting ? [copied(`    ${logCommand(iteration)}`, 'dim')] : []),
    ...consequences(entry, when),
  ];
}

/** Returns lines about what follows from an iteration: about a recovery, failed rules, and interventions. */
function consequences(
  { iteration, recovering, events, interventions, rollback, blocked }: EntryOf<'iteration_finished'>,
  when: When,
): Line[] {
  const effects = interventions.flatMap(({ type }) => {
    // A rollback and an emergency stop have entries of their own.
    if (type === 'emergency_stop' || (type === 'checkpoint_rollback' && rollback !== null)) return [];
    return type === 'checkpoint_rollback'
      ? `There is no safe checkpoint to go back to${blocked === null ? '; the task waits for you' : ''}`
      : EFFECT[type];
  });
  return [
    ...(recovering !== null && hasMoved(recovering, iteration) ? recoveryLines(recovering) : []),
    ...events
      .filter(({ event_type }) => event_type === 'rule_failed')
      .map(({ details }) => warning(String(details.summary), when)),
    ...[...new Set(effects)].map((effect) => below(`${effect}.`, 'dim')),
  ];
}

/** Returns a gate with a sign, and with how it counts. */
export function gateLine({
  name,
  standing: status,
  why,
}: Pick<GateJudgement, 'name' | 'standing' | 'why'>): Line {
  const lines: Readonly<Record<GateJudgement['standing'], readonly [string, Tone, string]>> = {
    passed: ['✔', 'good', name],
    fixed: ['✔', 'good', `${name} (failed before, passes now)`],
    regression: ['✖', 'bad', `${name} (passed before this task)`],
    required_failed: ['✖', 'bad', `${name} (required)`],
    failed_before: ['–', 'warning', `${name} was already failing before this run; ignored`],
    down: ['–', 'warning', `${name} fails without the work, too; it is asked again`],
    tool_missing: ['–', 'warning', `${name}: its tool is missing`],
    hollow: ['✖', 'bad', `${name} (checks nothing any more)`],
    tests_missing: ['✖', 'bad', `${name} (passes, but ${why ?? 'tests are gone'})`],
    dead: ['✖', 'bad', `${name} (can't fail any more)`],
    rewritten: ['✖', 'bad', `${name} (it writes the code that it tests)`],
    tests_failed: ['✖', 'bad', `${name} (passes, but ${why ?? 'reports failed tests'})`],
    skipped: ['–', 'dim', `${name} skipped`],
  };
  const [sign, tone, text] = lines[status];
  return copied(`${sign} ${text}`, tone);
}

function gatesLines({ baseline, judgements, results }: EntryOf<'gates_finished'>): Line[] {
  if (judgements.length === 0) return baselineLines(baseline);
  return judgements.flatMap((judgement) => {
    const tests = results.find(({ gate }) => gate === judgement.name);
    const text = tests === undefined ? '' : resultsText(tests);
    return [{ ...gateLine(judgement), lead: '  ' }, ...(text === '' ? [] : [below(text, 'dim')])];
  });
}

/** Returns a line about a recovery; empty: its panel follows, or nothing is to come. */
function recoveryLines(recovering: Recovery): Line[] {
  const { id, taskId, maxAttempts, ended } = recovering;
  const next = adaptationOf(recovering);
  if (ended?.how === 'recovered') return [below(`${id}: ${taskId} has recovered.`, 'good')];
  if (next === null) return [];
  const { attempt } = next;
  return [
    below(`${id}: recovery attempt ${attempt} of ${maxAttempts} comes next: ${changesOf(next)}`, 'warning'),
  ];
}

const STEPS: Readonly<Record<EntryOf<'budget_reached'>['at'], string>> = {
  warn: 'Half of the budget is spent',
  downgrade: `${shareText(BUDGET_STEPS.downgrade)} of the budget is spent; cheaper models work from now on where [runners] has a downgrade`,
  finish: `${shareText(BUDGET_STEPS.finish)} of the budget is spent; the task in progress is the last one`,
};

function checkpointLines({ why, limits, spent }: EntryOf<'checkpoint_taken'>): Line[] {
  const budget = budgetText(limits, spent);
  const used = budget || spentText({ tokens: spent.tokens, costUsd: spent.usd, estimatedUsd: 0 });
  const what = why === 'stop' ? 'Work in progress is saved' : 'Checkpoint';
  return [aside(`${what}; hand-off in .ralph/control-center.md. Spent: ${used}.`)];
}

/** Returns lines about open findings where a policy stopped the run. The report's first line says that it stopped. */
function stopLines({ stop }: EntryOf<'policy_stopped'>): Line[] {
  const left = (stop.trigger?.unresolved ?? []).map(
    ({ severity, summary }): Line => ({
      text: `not resolved (${severity}): ${summary}`,
      lead: '  ',
      indent: '    ',
    }),
  );
  return stop.kind === 'break' ? [...left, copied('  "Bake \'em away, toys."', 'dim')] : left;
}
