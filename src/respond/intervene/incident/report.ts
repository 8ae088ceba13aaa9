import { isObject } from 'ralph-kit/is-object';
import { redactDeep } from 'ralph-kit/redact-deep';
import { shortened } from 'ralph-kit/text';
import { gatesIn } from '../../../domain/command-runs.ts';
import type { Finding } from '../../../domain/findings/finding.ts';
import { entryOf } from '../../../domain/findings/index.ts';
import { INCIDENT_ACTIONS, type IncidentReport, resumeCommand } from '../../../domain/incident.ts';
import { INTERVENTION_TYPES, type Intervention } from '../../../domain/intervention.ts';
import type { InterventionEvent } from '../../../domain/records/event.ts';
import type { IterationDecisions, IterationFacts } from '../../../domain/records/iteration.ts';
import { answers, withOutcomes } from '../history.ts';
import { chooseCheckpoint } from '../plan-for.ts';
import { recoveryPlan } from '../texts.ts';
import { recoveryOptions } from './recovery.ts';
import { incidentTimeline } from './timeline.ts';

export type IncidentInput = {
  readonly id: string;
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly stop: Intervention;
  /** Events of commands that only you may use, called by the attempt's processes. */
  readonly refused: readonly InterventionEvent[];
  /** Secrets, which are removed wherever they occur. */
  readonly secrets: readonly string[];
  /** Path of your home folder, which is shown as `~`; `null`: paths aren't changed. */
  readonly home: string | null;
};

/**
 * Returns the report of an emergency stop (docs/INTERVENTIONS.md). It has no secrets, and at most `MAX_REPORT_BYTES`.
 */
export function incidentReport(input: IncidentInput): IncidentReport {
  const { facts, decisions, secrets, home } = input;
  // The attempt of the incident showed whether earlier interventions helped.
  const interventions = withOutcomes(facts.taskState.interventions, decisions.assessed);
  const taskState = { ...facts.taskState, interventions };
  const report = redactDeep(fullReport({ ...input, facts: { ...facts, taskState } }), [...secrets]);
  return boundedReport(home === null ? report : withoutHome(report, home), facts.task.id);
}

function fullReport({ id, facts, decisions, stop, refused }: IncidentInput): IncidentReport {
  const { record } = stop;
  const issue = issueOf(facts, decisions, stop);
  const { checkpoints, iteration, resources, settings, taskState } = facts;
  const safe = chooseCheckpoint({ checkpoints, iteration, settings: settings.interventions, taskState }, [
    issue.type,
  ]);
  const checkpoint = safe?.id ?? null;
  const advice = entryOf(issue.type).incident({ issue: issue.type, taskId: issue.taskId });
  return {
    $schema: 'ralph.incident.v1',
    id,
    at: record.at,
    run: facts.run,
    iteration,
    task: { id: facts.task.id, title: facts.task.title },
    agent: facts.agent,
    summary: `ralph stopped ${facts.agent} at ${facts.task.id}: ${issue.summary}`,
    severity: record.severity,
    issue,
    timeline: incidentTimeline(facts, decisions, stop, refused),
    impact: {
      files: changedFiles(facts),
      resources,
      // Milliseconds of all attempts with the issue, this one included.
      duration_ms: taskState.attempts
        .filter(({ findings }) => findings.includes(issue.type))
        .reduce((sum, attempt) => sum + attempt.durationMs, facts.durationMs),
    },
    root_cause: `${advice.cause}: ${issue.summary}`,
    contributing_factors: contributingFactors(facts, decisions, stop),
    recommendations: {
      immediate: [`See what the agent did and printed: ralph logs ${issue.iteration}`, ...advice.immediate],
      preventive: [...advice.preventive],
      configuration: [...advice.settings],
    },
    recovery_plan:
      checkpoint === null
        ? recoveryPlan([issue], facts, `Then choose how to continue: ${resumeCommand(id)}`)
        : [],
    recovery_options: recoveryOptions(id, facts.task.id, checkpoint),
    state_snapshot: {
      attempt: facts.attempt,
      verdict: decisions.verdict.kind,
      tree_before: facts.changes.before.tree,
      tree_after: facts.changes.after.tree,
      limits: facts.limits,
      interventions: [...taskState.interventions, record],
      checkpoint,
    },
    last_actions: facts.observed.actions.slice(-INCIDENT_ACTIONS),
    pattern_detections: decisions.findings,
    resource_usage: resources,
  };
}

/** Returns the most severe finding that the stop answers; without one, the reason of the stop. */
function issueOf(
  { task, iteration }: IterationFacts,
  { findings }: IterationDecisions,
  { record, plan }: Intervention,
): Finding {
  const own = findings.filter(({ type }) => type === record.issue);
  const worst = own.find(({ severity }) => severity === record.severity) ?? own[0];
  if (worst !== undefined) return worst;
  return {
    type: record.issue,
    severity: record.severity,
    confidence: 1,
    impactFactor: 0,
    taskId: task.id,
    iteration,
    summary: plan.type === 'emergency_stop' ? plan.reason : record.issue,
    details: {},
  };
}

function changedFiles(facts: IterationFacts): IncidentReport['impact']['files'] {
  const { changes, tampering, credentials } = facts;
  const contained = (path: string) =>
    credentials
      .filter((one) => one.path === path)
      .map(({ kind, line }) => `; contains a ${kind} in line ${line}`)
      .join('');
  return [
    ...tampering.map(({ path, change }) => ({ path, change: `${change}, outside of the copy` })),
    ...changes.changes.map(({ path, oldPath, kind }) => {
      const change = oldPath === null ? kind.replaceAll('_', ' ') : `renamed from ${oldPath}`;
      return { path, change: `${change}${contained(path)}` };
    }),
  ];
}

function withoutHome(report: IncidentReport, home: string): IncidentReport {
  if (home.length < 2) return report;
  const written = JSON.stringify(home).slice(1, -1);
  const literal = written.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return JSON.parse(JSON.stringify(report).replace(new RegExp(`${literal}(?![\\w-])`, 'g'), '~'));
}

function contributingFactors(
  facts: IterationFacts,
  decisions: IterationDecisions,
  { record }: Intervention,
): string[] {
  const { task, taskState, attempt, review, end, resumed, settings, tampering } = facts;
  const unhelpful = taskState.interventions.filter(
    (one) => answers(one, record.issue) && one.outcome === 'not_helped',
  );
  const off = INTERVENTION_TYPES.filter((type) => !settings.interventions[type].enabled);
  const regressions = decisions.gateReport.judgements.filter(
    ({ standing: status }) => status === 'regression',
  );
  const before = decisions.gateReport.judgements.filter(({ standing: status }) =>
    ['failed_before', 'down'].includes(status),
  );
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(', ');
  const factors: [holds: boolean, text: string][] = [
    [attempt > 1, `It was attempt ${attempt} of the task.`],
    [
      unhelpful.length > 0,
      `What was done about it before did not help: ${unhelpful.map(({ type, iteration }) => `${type} after iteration ${iteration}`).join(', ')}.`,
    ],
    [
      review.mode !== 'hook',
      `The agent's actions could not be stopped (review: ${review.mode}${review.why && `, ${review.why}`}).`,
    ],
    [review.denied > 0, `${review.denied} of its actions were denied in this attempt.`],
    [
      end.kind === 'halted' && end.crossed !== undefined,
      end.kind === 'halted' && end.crossed !== undefined
        ? `It crossed its limit of ${end.crossed.limit.replaceAll('_', ' ')}: ${end.crossed.seen} of ${end.crossed.allowed}.`
        : '',
    ],
    [end.kind === 'timed_out', 'It ran into its time limit.'],
    [taskState.throttle !== null, 'Its limits had been lowered before.'],
    [taskState.restriction !== null, 'You had set stricter limits for the task.'],
    [
      tampering.length > 0,
      `It changed files that it must not write: ${tampering.map(({ path }) => path).join(', ')}.`,
    ],
    [regressions.length > 0, `Gates fail that passed before: ${names(regressions)}.`],
    [before.length > 0, `Gates failed before the attempt already: ${names(before)}.`],
    [gatesIn(facts).length === 0 && settings.requiredGates.length === 0, 'No gate checked the work.'],
    [task.expectedPaths === null, "The task doesn't name the files that it is about."],
    [task.acceptance.length === 0, 'The task has no acceptance criteria.'],
    [resumed !== null, 'The attempt continued an earlier session of the agent.'],
    [off.length > 0, `Other interventions are switched off: ${off.join(', ')}.`],
  ];
  return factors.filter(([holds]) => holds).map(([, text]) => text);
}

/** Maximum number of bytes of a report, whatever the agent did. */
const MAX_REPORT_BYTES = 256 * 1024;

/** Limits that are tried one after the other: characters of a text, items of a list, and depth of findings' details. */
const STEPS = [
  { text: 4000, items: 500, depth: 8 },
  { text: 2000, items: 200, depth: 8 },
  { text: 1000, items: 80, depth: 6 },
  { text: 500, items: 50, depth: 4 },
  { text: 200, items: 15, depth: 3 },
  { text: 100, items: 4, depth: 2 },
] as const;
type Step = (typeof STEPS)[number];

/** Lists with their newest entries last, which are cut at the beginning. All other lists are cut at the end. */
const NEWEST_LAST: readonly string[] = ['timeline', 'last_actions', 'interventions'];

/** Returns the report within its limit. `omitted`: number of removed items of each list. Commands are never cut. */
function boundedReport(report: IncidentReport, taskId: string): IncidentReport {
  let cut = report;
  for (const step of STEPS) {
    cut = bounded(report, step, taskId);
    if (new TextEncoder().encode(JSON.stringify(cut, null, 2)).length <= MAX_REPORT_BYTES) break;
  }
  return cut;
}

function bounded(report: IncidentReport, step: Step, taskId: string): IncidentReport {
  const cut = clip(report, step, '', null) as IncidentReport;
  const files = report.impact.files.length - cut.impact.files.length;
  const timeline = report.timeline.length - cut.timeline.length;
  const omitted = { ...(files > 0 ? { files } : {}), ...(timeline > 0 ? { timeline } : {}) };
  const { checkpoint } = report.state_snapshot;
  return {
    ...cut,
    id: report.id,
    recovery_options: recoveryOptions(report.id, shortened(taskId, step.text), checkpoint),
    ...(Object.keys(omitted).length === 0 ? {} : { omitted }),
  };
}

/**
 * Returns a value within the limits of a step.
 * @param depth Levels left in the details of a finding; `null`: the value is outside of details, where the form is
 * known
 */
function clip(value: unknown, step: Step, name: string, depth: number | null): unknown {
  if (typeof value === 'string') return shortened(value, step.text);
  const next = name === 'details' ? step.depth : depth === null ? null : depth - 1;
  if (Array.isArray(value)) {
    if (depth === 0) return [];
    const kept = NEWEST_LAST.includes(name) ? value.slice(-step.items) : value.slice(0, step.items);
    return kept.map((item) => clip(item, step, '', next));
  }
  if (!isObject(value)) return value;
  if (depth === 0) return {};
  const members = Object.entries(value).slice(0, next === null ? undefined : step.items);
  return Object.fromEntries(
    members.map(([key, inner]) => [shortened(key, step.text), clip(inner, step, key, next)]),
  );
}
