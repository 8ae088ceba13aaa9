import type { InterventionSettings } from '../../domain/config.ts';
import { CLAIMS } from '../../domain/findings/claims.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import { ladderOf } from '../../domain/findings/index.ts';
import type { InterventionPlan, InterventionRecord, InterventionType } from '../../domain/intervention.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { isOutsideCause, VERDICT_COUNTING, type Verdict, type VerdictKind } from '../../domain/verdict.ts';
import { chooseRung, ESCALATION_STEP, escalationLevel, rank, scoreOf } from './choose-rung.ts';
import { assess, recordsOn, withOutcomes } from './history.ts';
import { planFor } from './plan-for.ts';
import { recovered, throttled } from './throttle.ts';
import type { Choice, InterventionDecision, InterventionInput, Rung } from './types.ts';

/** Verdicts of attempts whose changes may be good: no gate fails because of them, and nothing was claimed of them that isn't so. */
const PROGRESS: readonly VerdictKind[] = [
  'progress',
  'incomplete',
  'timed_out',
  'agent_error',
  'agent_blocked',
];

/** Its ladder ends in a recovery, and at a human gate. */
const AVOIDANCE = 'avoidance';

/** Findings that call for the same intervention, the gravest first. */
type Group = { readonly type: InterventionType; readonly choices: readonly [Choice, ...Choice[]] };

/**
 * What is done about the findings of an attempt. Where interventions are switched off, or the cause lies outside of the
 * work and nothing is critical, nothing is decided and what was in force stays.
 *
 * @param blocked whether the verdict blocks the task.
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
      ...{ interventions: [], assessed: [], reinforce, throttle },
      ...{ parkedBecause: null, recovery: [], limitReached: null, uncured: null },
    };
  }
  const isOver = verdict.kind === 'done' || outside;
  return decideInterventions({
    ...facts,
    settings: settings.interventions,
    texts: settings.texts,
    findings,
    taskAfter: isOver ? 'done' : blocked ? 'blocked' : 'open',
    progressed: PROGRESS.includes(verdict.kind) && facts.changes.changes.length > 0,
    recovers: VERDICT_COUNTING[verdict.kind].failedAttempt,
  });
}

/**
 * What is done about the findings of an iteration (spec 3-interventions, The controller; decisions.md, Interventions,
 * settled): assess the earlier interventions, choose one for each finding, keep what the limits allow, plan it.
 */
export function decideInterventions(input: InterventionInput): InterventionDecision {
  const { taskState, findings, settings, taskAfter } = input;
  const shown = findings.map(({ type }) => type);
  const assessed = assess(taskState.interventions, shown, input.iteration);
  const records = withOutcomes(taskState.interventions, assessed);

  const scored = byGravity(input, records);
  const isOpen = ({ finding }: Scored) => taskAfter !== 'done' && isUncured(finding, input, records);
  const uncured = scored.find(isOpen)?.finding ?? null;
  // You are asked at the end of a recovery: nothing that isn't critical stops the task before.
  const recovers = uncured !== null || taskState.recovering !== null;
  const groups = groupByType(
    scored.flatMap((one) => choose(one, { ...input, stops: !recovers }, records) ?? []),
  );

  const ofTask = remaining(settings.max_interventions_per_task, taskState.interventionCount);
  const ofRun = remaining(settings.max_interventions_per_run, input.runInterventions);
  const kept: Group[] = [];
  const dropped: Group[] = [];
  for (const group of groups) {
    // No limit holds back what is critical.
    const isCritical = group.choices.some(({ finding }) => finding.severity === 'critical');
    (isCritical || kept.length < Math.min(ofTask, ofRun) ? kept : dropped).push(group);
  }

  const interventions = kept
    .map(({ type, choices }) => {
      const plan = planFor(type, choices, input, records);
      return { record: recordOf(choices, plan, input), plan, why: whyOf(choices[0]) };
    })
    // A recovery continues where there is nothing to go back to.
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
 * Whether the corrections so far did not cure a finding: what was avoided came back after one, any other finding after
 * the strictest of its ladder. Where that is a stop, you are asked at its incident.
 */
function isUncured(finding: Finding, input: InterventionInput, records: readonly InterventionRecord[]) {
  const last = recordsOn(records, finding.type).at(-1);
  if (!input.recovers || finding.severity === 'critical' || last?.outcome !== 'not_helped') return false;
  // Where no attempt is left, a claim without work leaves nothing to recover.
  if (input.taskAfter === 'blocked' && Object.hasOwn(CLAIMS, finding.type)) return false;
  if (finding.type === AVOIDANCE) return true;
  const strictest = ladderOf(finding)
    .filter((type) => isUsable(type, input.settings, records))
    .at(-1);
  return strictest === undefined || (strictest !== 'emergency_stop' && rank(last.type) >= rank(strictest));
}

type Scored = Pick<Choice, 'finding' | 'score'>;

/** `stops`: what isn't critical may stop the task. */
type Deciding = InterventionInput & { readonly stops: boolean };

/** Critical findings first, then by falling score. */
function byGravity(
  { findings, settings, taskState, endedAt }: InterventionInput,
  records: readonly InterventionRecord[],
): readonly Scored[] {
  const isCritical = ({ finding }: Scored) => Number(finding.severity === 'critical');
  return findings
    .map((finding) => {
      const level = escalationLevel(records, finding.type, endedAt, taskState.attempts);
      return { finding, score: scoreOf(finding, settings, level) };
    })
    .toSorted((a, b) => isCritical(b) - isCritical(a) || b.score.combined - a.score.combined);
}

/** `null`: nothing is done about the finding. */
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
  return { text: null, ...chosen, finding, score, escalated };
}

type Chosen = Rung & { readonly text?: string | null };

/** Critical findings first, as nothing holds them; then the cool-down, handlers, and the ladder. */
function chooseType(
  { finding, score }: Scored,
  input: Deciding,
  records: readonly InterventionRecord[],
  onIssue: readonly InterventionRecord[],
): Chosen | null {
  const { settings } = input;
  const { type: issue, severity } = finding;
  const ladder = ladderOf(finding);
  if (severity === 'critical') {
    // Where the stop is switched off, the strictest that is left.
    const strictest = (['emergency_stop', ...ladder.toReversed()] as const).find(
      (type) => settings[type].enabled,
    );
    return strictest === undefined ? null : { type: strictest, why: 'critical, so the strictest at once' };
  }
  if (isCoolingDown(onIssue, input)) return null;
  const handled = fromHandler(finding, input, records);
  if (handled !== undefined) return handled;
  // Work whose gates pass isn't taken away for a few look-ups that fail.
  const keepsWork = issue === 'repetitive_errors' && severity === 'low' && input.progressed;
  const mayStop = input.stops && !(issue === AVOIDANCE && input.recovers);
  const rungs = ladder.filter(
    (type) =>
      isUsable(type, settings, records) &&
      !(type === 'checkpoint_rollback' && keepsWork) &&
      !(type === 'emergency_stop' && !mayStop),
  );
  return chooseRung({ ...input, finding, score, rungs, records: onIssue });
}

/**
 * Two interventions on the issue, this short before each other and before now: a third would come too soon. The first
 * failure after a fast one is answered, since the agent has heard of the one before. A clock that was set back delays
 * nothing.
 */
function isCoolingDown(
  onIssue: readonly InterventionRecord[],
  { endedAt, settings }: InterventionInput,
): boolean {
  const [before, last] = onIssue.slice(-2);
  const isSoon = (from: string, to: string) => {
    const elapsedMs = Date.parse(to) - Date.parse(from);
    return elapsedMs >= 0 && elapsedMs < settings.cooldown_seconds * 1000;
  };
  return before !== undefined && last !== undefined && isSoon(before.at, last.at) && isSoon(last.at, endedAt);
}

/**
 * What a handler wants: that of the issue, else that of the strategy `custom`. `undefined` where none has an answer, or
 * where the answer is an intervention that is switched off or used up: then the ladder decides.
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

/** Enabled, and not applied as often as the series may have it. */
function isUsable(
  type: InterventionType,
  settings: InterventionSettings,
  records: readonly InterventionRecord[],
): boolean {
  if (type !== 'soft_correction') return settings[type].enabled;
  const { enabled, max_attempts } = settings.soft_correction;
  return enabled && remaining(max_attempts, records.filter((record) => record.type === type).length) > 0;
}

/** What still makes sense for a task that is blocked or verified. */
function acts(type: InterventionType, { severity }: Finding, { taskAfter }: InterventionInput): boolean {
  if (taskAfter === 'open') return true;
  if (taskAfter === 'done') return severity === 'critical' && type === 'emergency_stop';
  // What isn't critical ends with the block: the run continues with the next task.
  return type === 'checkpoint_rollback' || (type === 'emergency_stop' && severity === 'critical');
}

/** Each intervention once: later findings join the first. Nothing is done beside an emergency stop. */
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

/** 0 as a limit: none. */
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
    ...{ iteration, at: endedAt, agent, severityScore, escalationLevel, escalated },
    outcome: isLast ? 'no_further_attempt' : null,
  };
}

/** The task waits for you at its incident. */
export function isStopOfTask(
  plan: InterventionPlan,
): plan is Extract<InterventionPlan, { type: 'emergency_stop' }> {
  return plan.type === 'emergency_stop' && plan.scope === 'task';
}

/** A rollback without anything safe to go back to: it is yours to do. */
function isStuck(plan: InterventionPlan): boolean {
  return plan.type === 'checkpoint_rollback' && plan.checkpoint === null;
}

/** The arithmetic, then the reason for the rung. */
function whyOf({ finding, score, why }: Choice): string {
  const { base, confidence, impactFactor, severityScore, escalationLevel: level, combined } = score;
  const fixed = (value: number) => value.toFixed(2);
  const sum = `${base} × ${confidence} × ${fixed(1 + impactFactor)} = ${fixed(severityScore)}`;
  const more = level === 0 ? '' : `, + ${ESCALATION_STEP} × ${level} = ${fixed(combined)}`;
  return `${finding.type} (${finding.severity}): ${sum}${more}; ${why}.`;
}
