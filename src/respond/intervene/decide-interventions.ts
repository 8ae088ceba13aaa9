import type { InterventionSettings } from '../../domain/config.ts';
import { CLAIMS } from '../../domain/findings/claims.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import {
  INTERVENTION_TYPES,
  type InterventionPlan,
  type InterventionRecord,
  type InterventionType,
} from '../../domain/intervention.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { isOutsideCause, VERDICT_COUNTING, type Verdict, type VerdictKind } from '../../domain/verdict.ts';
import { AVOIDANCE, ESCALATION_STEP, ladderOf, rank, scoreOf } from '../table.ts';
import { chooseRung, escalationLevel } from './choose-rung.ts';
import { assess, attemptsSince, recordsOn, withOutcomes } from './history.ts';
import { planFor } from './plan-for.ts';
import { recovered, throttled } from './throttle.ts';
import type { Choice, InterventionDecision, InterventionInput, Rung } from './types.ts';

/** Verdicts on attempts whose changes may be good: they break no gate and make no false claim. */
const PROGRESS: readonly VerdictKind[] = [
  'progress',
  'incomplete',
  'timed_out',
  'agent_error',
  'agent_blocked',
];

export function isProgress(verdict: VerdictKind, filesChanged: number): boolean {
  return PROGRESS.includes(verdict) && filesChanged > 0;
}

/** Findings that need the same intervention. The most severe one comes first. */
type Group = { readonly type: InterventionType; readonly choices: readonly [Choice, ...Choice[]] };

/**
 * Returns the interventions of an iteration. If interventions are turned off, or an outside cause ended the attempt
 * without a critical finding, only earlier measures continue.
 * @param blocked Whether the verdict blocks the task
 */
export function intervene(
  facts: FactsOf<'attempt' | 'agent' | 'changes' | 'interventions'>,
  findings: readonly Finding[],
  verdict: Verdict,
  blocked: boolean,
): InterventionDecision {
  const { settings, taskState } = facts;
  const outside = isOutsideCause(verdict.kind);
  const isCritical = findings.some(({ severity }) => severity === 'critical');
  if (!settings.interventions.enabled || (outside && !isCritical)) {
    const { reinforce, throttle } = taskState;
    return {
      interventions: [],
      leftOut: [],
      assessed: [],
      reinforce,
      throttle,
      parkedBecause: null,
      recovery: [],
      limitReached: null,
      uncured: null,
    };
  }
  const isOver = verdict.kind === 'done' || outside;
  return decideInterventions({
    ...facts,
    settings: settings.interventions,
    texts: settings.texts,
    findings,
    taskAfter: isOver ? 'done' : blocked ? 'blocked' : 'open',
    progressed: isProgress(verdict.kind, facts.changes.changes.length),
    recovers: VERDICT_COUNTING[verdict.kind].failedAttempt,
  });
}

/** Decides the interventions by the rules of docs/INTERVENTIONS.md. */
export function decideInterventions(input: InterventionInput): InterventionDecision {
  const { taskState, findings, settings, taskAfter } = input;
  const shown = findings.map(({ type }) => type);
  const assessed = assess(taskState.interventions, shown, input.iteration);
  const records = withOutcomes(taskState.interventions, assessed);

  const scored = byGravity(input, records);
  const isOpen = ({ finding }: Scored) => taskAfter !== 'done' && isUncured(finding, input, records);
  const uncured = scored.find(isOpen)?.finding ?? null;
  // A recovery asks you at its end, so only critical findings stop the task before.
  const recovers = uncured !== null || taskState.recovering !== null;
  const groups = groupByType(
    scored.flatMap((one) => choose(one, { ...input, stops: !recovers }, records) ?? []),
  );

  const ofTask = remaining(settings.max_interventions_per_task, taskState.interventionCount);
  const kept: Group[] = [];
  const dropped: Group[] = [];
  for (const group of groups) {
    // The limit for the number of interventions doesn't apply to critical findings.
    const isCritical = group.choices.some(({ finding }) => finding.severity === 'critical');
    (isCritical || kept.length < ofTask ? kept : dropped).push(group);
  }

  const isLast = taskAfter !== 'open';
  const due = kept.map(({ type, choices }) => {
    const plan = planFor(type, choices, input, records);
    // Interventions that ask you or set work aside are never left out, because the place of the work must not depend on
    // the clock.
    const isWords = rank(type) < rank('checkpoint_rollback') || (isLast && type === 'checkpoint_rollback');
    const isHeld = isWords && choices.every(({ tooSoon }) => tooSoon);
    return { record: recordOf(choices, plan, input), plan, why: whyOf(choices[0]), isHeld };
  });
  const leftOut = due
    .filter(({ isHeld }) => isHeld)
    .map(({ record }) => ({ ...record, leftOut: true as const }));
  const interventions = due
    .filter(({ isHeld }) => !isHeld)
    .map(({ record, plan, why }) => ({ record, plan, why }))
    // A recovery continues even if there is no checkpoint to go back to.
    .filter(
      ({ plan, record }) => !isStuck(plan) || record.issue !== (taskState.recovering?.issue ?? uncured?.type),
    );

  const plans = interventions.map(({ plan }) => plan);
  const lowered = plans.find((plan) => plan.type === 'resource_throttling');
  const reinforced = plans.flatMap((plan) => (plan.type === 'context_reinforcement' ? plan.issues : []));
  const still = taskState.reinforce.filter((issue) => shown.includes(issue));
  const [held] = dropped;
  const stuck = interventions.find(({ plan }) => isStuck(plan));
  return {
    interventions,
    leftOut,
    assessed,
    reinforce: [...new Set([...reinforced, ...still])],
    throttle: lowered === undefined ? recovered(input) : throttled(input, lowered.limits, lowered.text),
    parkedBecause:
      plans.find(isStopOfTask)?.reason ??
      (taskAfter !== 'open' || stuck === undefined
        ? null
        : `${stuck.record.issue} calls for a rollback, and there is no safe checkpoint from before it began.`),
    recovery:
      taskAfter === 'open'
        ? plans.flatMap((plan) => (plan.type === 'checkpoint_rollback' ? plan.recovery : []))
        : [],
    limitReached:
      taskAfter !== 'open' || held === undefined || ofTask > 0
        ? null
        : `The interventions for task ${input.task.id} are used up ([interventions] max_interventions_per_task = ${settings.max_interventions_per_task}), and ${held.choices[0].finding.type} is still there.`,
    uncured,
  };
}

/**
 * Returns whether corrections failed to cure a finding: avoidance once it comes back after a correction, other findings
 * once the strictest step didn't help. A stop as the strictest step isn't included, because its incident asks you.
 */
function isUncured(finding: Finding, input: InterventionInput, records: readonly InterventionRecord[]) {
  const last = recordsOn(records, finding.type).at(-1);
  if (!input.recovers || finding.severity === 'critical' || last?.outcome !== 'not_helped') return false;
  // If no attempt is left after a claim without work, there is nothing to recover.
  if (input.taskAfter === 'blocked' && Object.hasOwn(CLAIMS, finding.type)) return false;
  if (finding.type === AVOIDANCE) return true;
  const strictest = ladderOf(finding)
    .filter((type) => isUsable(type, input.settings, records))
    .at(-1);
  return isSpent(last.type, strictest);
}

type Scored = Pick<Choice, 'finding' | 'score'>;

type Deciding = InterventionInput & { readonly stops: boolean };

function byGravity(
  { findings, settings, taskState }: InterventionInput,
  records: readonly InterventionRecord[],
): readonly Scored[] {
  const isCritical = ({ finding }: Scored) => Number(finding.severity === 'critical');
  return findings
    .map((finding) => {
      const level = escalationLevel(records, finding.type, taskState.attempts);
      return { finding, score: scoreOf(finding, settings, level) };
    })
    .toSorted((a, b) => isCritical(b) - isCritical(a) || b.score.combined - a.score.combined);
}

function choose(
  { finding, score }: Scored,
  input: Deciding,
  records: readonly InterventionRecord[],
): Choice | null {
  const onIssue = recordsOn(records, finding.type);
  const last = onIssue.at(-1);
  const chosen = chooseType({ finding, score }, input, records, onIssue);
  if (chosen === null || !acts(chosen.type, finding, input)) return null;
  const escalated = last?.outcome === 'not_helped' && rank(chosen.type) > rank(last.type);
  const tooSoon = finding.severity !== 'critical' && isTooSoon(chosen.type, onIssue, input);
  return { text: null, ...chosen, finding, score, escalated, tooSoon };
}

type Chosen = Rung & { readonly text?: string | null };

function chooseType(
  { finding, score }: Scored,
  input: Deciding,
  records: readonly InterventionRecord[],
  onIssue: readonly InterventionRecord[],
): Chosen | null {
  const { settings } = input;
  const { type: issue, severity } = finding;
  if (severity === 'critical') {
    // If the emergency stop is turned off, the strictest step that is turned on is taken.
    const strictest = (['emergency_stop', ...ladderOf(finding).toReversed()] as const).find(
      (type) => settings[type].enabled,
    );
    return strictest === undefined ? null : { type: strictest, why: 'critical, so the strictest at once' };
  }
  const handled = fromHandler(finding, input, records);
  if (handled !== undefined) return handled;
  const mayStop = input.stops && !(issue === AVOIDANCE && input.recovers);
  const rungs = rungsFor(finding, input, records).filter((type) => mayStop || type !== 'emergency_stop');
  return chooseRung({ ...input, finding, score, rungs, records: onIssue });
}

/**
 * Returns whether an intervention comes too soon: as the third one within the cool-down, or as a stricter one within
 * the escalation delay, unless it answers the very next attempt. It counts as carried out all the same. A clock that
 * was set back delays nothing.
 */
function isTooSoon(
  type: InterventionType,
  onIssue: readonly InterventionRecord[],
  { endedAt, settings, taskState }: InterventionInput,
): boolean {
  const [last, before] = onIssue.filter(({ leftOut }) => !leftOut).toReversed();
  if (last === undefined) return false;
  const isWithin = (from: string, to: string, seconds: number) => {
    const elapsedMs = Date.parse(to) - Date.parse(from);
    return elapsedMs >= 0 && elapsedMs < seconds * 1000;
  };
  const { cooldown_seconds: cooldown, strategy } = settings;
  if (before !== undefined && isWithin(before.at, last.at, cooldown) && isWithin(last.at, endedAt, cooldown))
    return true;
  return (
    strategy.type !== 'pattern_specific' &&
    rank(type) > rank(last.type) &&
    attemptsSince(taskState.attempts, last.iteration).length > 0 &&
    isWithin(last.at, endedAt, strategy.escalation_delay_seconds)
  );
}

/**
 * Returns the handler's answer; `undefined`: there is none, or its intervention is turned off or used up, so the ladder
 * decides.
 */
function fromHandler(
  { type: issue }: Finding,
  { handled, settings }: InterventionInput,
  records: readonly InterventionRecord[],
): Chosen | null | undefined {
  const asked = settings.strategy.type === 'custom' ? [issue, 'strategy'] : [issue];
  for (const name of asked) {
    const answer = handled.find(
      (one) => one.call === 'intervene' && one.issue === name && one.answer !== null && one.failure === null,
    )?.answer;
    if (answer == null) continue;
    if (answer.intervention === 'none') return null;
    if (!isUsable(answer.intervention, settings, records)) continue;
    const who = name === 'strategy' ? 'the strategy module' : `the handler of ${issue}`;
    return { type: answer.intervention, text: answer.text ?? null, why: `${who} decided so` };
  }
  return undefined;
}

/**
 * Returns the steps that are left for an issue, mildest first. A few failed look-ups don't cost work whose gates pass.
 */
function rungsFor(
  finding: Pick<Finding, 'type' | 'severity' | 'ladder'>,
  { settings, progressed }: Pick<InterventionInput, 'settings' | 'progressed'>,
  records: readonly InterventionRecord[],
): readonly InterventionType[] {
  const keepsWork = finding.type === 'repetitive_errors' && finding.severity === 'low' && progressed;
  return ladderOf(finding).filter(
    (type) => isUsable(type, settings, records) && !(keepsWork && type === 'checkpoint_rollback'),
  );
}

type Answered = Pick<
  InterventionInput,
  'agent' | 'effectiveness' | 'settings' | 'progressed' | 'recovers'
> & {
  readonly due: InterventionRecord;
  /** Interventions of the series. `due` is the last one on its issue. */
  readonly records: readonly InterventionRecord[];
};

/**
 * Returns the step if the same happens again. `recovery`: another approach is tried, because corrections didn't cure
 * the issue; `null`: nothing is done.
 */
export function stepIfAgain(answered: Answered): InterventionType | 'recovery' | null {
  const steps = [answered.due.issue, ...answered.due.also].map((issue) => stepOn(issue, answered));
  if (steps.includes('emergency_stop')) return 'emergency_stop';
  if (steps.includes('recovery')) return 'recovery';
  return INTERVENTION_TYPES.findLast((type) => steps.includes(type)) ?? null;
}

/**
 * Returns the step on one issue. Only the severity of the first issue is recorded, so issues that were answered
 * together count as equally severe.
 */
function stepOn(
  issue: string,
  { due, records, agent, effectiveness, settings, recovers, progressed }: Answered,
): InterventionType | 'recovery' | null {
  const { severity, severityScore, escalationLevel: level } = due;
  const after = records.map((one) => (one === due ? { ...due, outcome: 'not_helped' as const } : one));
  const rungs = rungsFor({ type: issue, severity }, { settings, progressed }, after);
  if (recovers && severity !== 'critical' && (issue === AVOIDANCE || isSpent(due.type, rungs.at(-1))))
    return 'recovery';
  const next = chooseRung({
    agent,
    effectiveness,
    settings,
    finding: { type: issue, severity },
    score: { combined: severityScore + ESCALATION_STEP * (level + 1) },
    rungs,
    records: recordsOn(after, issue),
  });
  return next?.type ?? null;
}

/**
 * Returns whether the strictest step of the ladder was taken. A stop doesn't count, because its incident asks you in
 * any case.
 */
function isSpent(done: InterventionType, strictest: InterventionType | undefined): boolean {
  return strictest === undefined || (strictest !== 'emergency_stop' && rank(done) >= rank(strictest));
}

function isUsable(
  type: InterventionType,
  settings: InterventionSettings,
  records: readonly InterventionRecord[],
): boolean {
  if (type !== 'soft_correction') return settings[type].enabled;
  const { enabled, max_attempts } = settings.soft_correction;
  return enabled && remaining(max_attempts, records.filter((record) => record.type === type).length) > 0;
}

function acts(type: InterventionType, { severity }: Finding, { taskAfter }: InterventionInput): boolean {
  if (taskAfter === 'open') return true;
  if (taskAfter === 'done') return severity === 'critical' && type === 'emergency_stop';
  // A finding that isn't critical is settled by blocking the task: the run continues with the next one.
  return type === 'checkpoint_rollback' || (type === 'emergency_stop' && severity === 'critical');
}

/** Returns findings grouped by intervention. An emergency stop replaces all others. */
function groupByType(choices: readonly Choice[]): readonly Group[] {
  const groups = new Map<InterventionType, [Choice, ...Choice[]]>();
  for (const choice of choices) {
    const group = groups.get(choice.type);
    if (group === undefined) groups.set(choice.type, [choice]);
    else if (group.every(({ finding }) => finding.type !== choice.finding.type)) group.push(choice);
  }
  const stop = groups.get('emergency_stop');
  if (stop !== undefined) return [{ type: 'emergency_stop', choices: stop }];
  return [...groups].map(([type, group]) => ({ type, choices: group }));
}

/** Returns how much of a limit is left. A limit of 0 means no limit. */
function remaining(limit: number, used: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);
}

function recordOf(
  [first, ...others]: Group['choices'],
  plan: InterventionPlan,
  { iteration, endedAt, agent, taskAfter }: InterventionInput,
): InterventionRecord {
  const isLast = taskAfter !== 'open' || plan.type === 'emergency_stop' || isStuck(plan);
  const { finding, score, type, escalated } = first;
  const { severityScore, escalationLevel } = score;
  return {
    type,
    issue: finding.type,
    also: others.map((other) => other.finding.type),
    severity: finding.severity,
    iteration,
    at: endedAt,
    agent,
    severityScore,
    escalationLevel,
    escalated,
    outcome: isLast ? 'no_further_attempt' : null,
  };
}

export function isStopOfTask(
  plan: InterventionPlan,
): plan is Extract<InterventionPlan, { type: 'emergency_stop' }> {
  return plan.type === 'emergency_stop' && plan.scope === 'task';
}

/** Returns whether a rollback has no safe checkpoint, so that it is left to you. */
function isStuck(plan: InterventionPlan): boolean {
  return plan.type === 'checkpoint_rollback' && plan.checkpoint === null;
}

function whyOf({ finding, score, why }: Choice): string {
  const { base, confidence, impactFactor, severityScore, escalationLevel: level, combined } = score;
  const fixed = (value: number) => value.toFixed(2);
  const sum = `${base} × ${confidence} × ${fixed(1 + impactFactor)} = ${fixed(severityScore)}`;
  const more = level === 0 ? '' : `, + ${ESCALATION_STEP} × ${level} = ${fixed(combined)}`;
  return `${finding.type} (${finding.severity}): ${sum}${more}; ${why}.`;
}
