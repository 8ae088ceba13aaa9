import type { Intervention, InterventionRecord, InterventionType } from '../domain/intervention.ts';
import { ESCALATION_STEP } from '../domain/ladders.ts';
import { assess, judged } from './assess.ts';
import { type Choice, chooseAll } from './choose.ts';
import type { ControlDecision, ControlInput } from './input.ts';
import { roomFor } from './limits.ts';
import { planFor } from './plan-for.ts';
import { recovered, throttled } from './throttle.ts';

/** Findings that came to the same intervention, the gravest first. */
type Group = { readonly type: InterventionType; readonly choices: readonly [Choice, ...Choice[]] };

/**
 * What is done about the findings of an iteration (spec 3-interventions, The controller; decisions.md, Interventions,
 * settled). Equal inputs give equal decisions.
 */
export function control(input: ControlInput): ControlDecision {
  const earlier = input.taskState.interventions;
  const assessed = assess(earlier, input);
  const records = judged(earlier, assessed);

  const groups = stopAlone(groupByType(chooseAll(input, records)));
  const room = roomFor(input);
  const { kept, dropped } = withinLimits(groups, room.left);
  const interventions = kept.map((group) => interventionFor(group, input, records));

  return {
    interventions,
    assessed,
    reinforce: reinforced(interventions, input),
    throttle: throttleAfter(interventions, input),
    parkedBecause: parkedBecause(interventions, input),
    limitReached: dropped.length > 0 && room.taskIsFull ? limitSaid(input, dropped) : null,
  };
}

/** The same intervention is never applied twice in one iteration: later findings join the first. */
function groupByType(choices: readonly Choice[]): readonly Group[] {
  const groups = new Map<InterventionType, [Choice, ...Choice[]]>();
  for (const choice of choices) {
    const group = groups.get(choice.type);
    if (group === undefined) groups.set(choice.type, [choice]);
    else if (group.every(({ finding }) => finding.type !== choice.finding.type)) group.push(choice);
  }
  return [...groups].map(([type, group]) => ({ type, choices: group }));
}

/** Nothing follows an emergency stop, so nothing is done beside it. */
function stopAlone(groups: readonly Group[]): readonly Group[] {
  const stop = groups.filter(({ type }) => type === 'emergency_stop');
  return stop.length > 0 ? stop : groups;
}

/** Critical findings are held by no limit. */
function withinLimits(groups: readonly Group[], left: number) {
  const kept: Group[] = [];
  const dropped: Group[] = [];
  for (const group of groups) {
    const isCritical = group.choices.some(({ finding }) => finding.severity === 'critical');
    if (isCritical || kept.length < left) kept.push(group);
    else dropped.push(group);
  }
  return { kept, dropped };
}

function interventionFor(
  { type, choices }: Group,
  input: ControlInput,
  records: readonly InterventionRecord[],
): Intervention {
  const [first, ...others] = choices;
  const plan = planFor(type, choices, input, records);
  // A stop, and a rollback that a person has to do: no attempt follows that could tell whether they helped.
  const noNext =
    input.standing !== 'open' ||
    plan.type === 'emergency_stop' ||
    (plan.type === 'checkpoint_rollback' && plan.checkpoint === null);
  return {
    record: {
      type,
      issue: first.finding.type,
      also: others.map(({ finding }) => finding.type),
      severity: first.finding.severity,
      iteration: input.iteration,
      at: input.at,
      agent: input.agent,
      severityScore: first.score.severityScore,
      escalationLevel: first.score.escalationLevel,
      escalated: first.escalated,
      outcome: noNext ? 'no_further_attempt' : null,
    },
    plan,
    why: whyOf(first),
  };
}

/** The arithmetic, then how the rung was come to. */
function whyOf({ finding, score, why }: Choice): string {
  const { base, confidence, impactFactor, severityScore, escalationLevel, combined } = score;
  const sum = `${base} × ${confidence} × ${fixed(1 + impactFactor)} = ${fixed(severityScore)}`;
  const more =
    escalationLevel === 0 ? '' : `, + ${ESCALATION_STEP} × ${escalationLevel} = ${fixed(combined)}`;
  return `${finding.type} (${finding.severity}): ${sum}${more}; ${why}.`;
}

function fixed(value: number): string {
  return value.toFixed(2);
}

/** What is reinforced now, and what was reinforced before and is still there. */
function reinforced(
  interventions: readonly Intervention[],
  { taskState, findings }: ControlInput,
): readonly string[] {
  const now = interventions.flatMap(({ plan }) => (plan.type === 'context_reinforcement' ? plan.issues : []));
  const still = taskState.reinforce.filter((issue) => findings.some(({ type }) => type === issue));
  return [...new Set([...now, ...still])];
}

function throttleAfter(interventions: readonly Intervention[], input: ControlInput) {
  for (const { plan } of interventions) {
    if (plan.type === 'resource_throttling') return throttled(input, plan.limits, plan.text);
  }
  return recovered(input);
}

/** A rollback without anything safe to go back to goes on to a person. */
function parkedBecause(interventions: readonly Intervention[], { standing }: ControlInput): string | null {
  if (standing !== 'open') return null;
  for (const { plan, record } of interventions) {
    if (plan.type === 'checkpoint_rollback' && plan.checkpoint === null) {
      return `${record.issue} calls for a rollback, and there is no safe checkpoint from before it began.`;
    }
  }
  return null;
}

function limitSaid({ task, settings, standing }: ControlInput, dropped: readonly Group[]): string | null {
  if (standing !== 'open') return null;
  const issue = dropped[0]?.choices[0].finding.type;
  return `The interventions for task ${task.id} are used up ([interventions] max_interventions_per_task = ${settings.maxPerTask}), and ${issue} is still there.`;
}
