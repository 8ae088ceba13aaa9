import type { Finding } from '../../../domain/findings/finding.ts';
import { entryOf } from '../../../domain/findings/index.ts';
import { INCIDENT_ACTIONS, type IncidentReport } from '../../../domain/incident.ts';
import type { Intervention } from '../../../domain/intervention.ts';
import type { InterventionEvent } from '../../../domain/records/event.ts';
import type { IterationDecisions, IterationFacts } from '../../../domain/records/iteration.ts';
import { redactDeep } from '../../../lib/redact-deep.ts';
import { withOutcomes } from '../history.ts';
import { chooseCheckpoint } from '../plan-for.ts';
import { recoveryPlan } from '../texts.ts';
import { boundedReport } from './bounded.ts';
import { contributingFactors } from './factors.ts';
import { recoveryOptions } from './recovery.ts';
import { incidentTimeline } from './timeline.ts';

export type IncidentInput = {
  /** `INC-N`. */
  readonly id: string;
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  /** The emergency stop. */
  readonly stop: Intervention;
  /** Commands of ralph that what the attempt started called, and that decide for you. */
  readonly refused: readonly InterventionEvent[];
  /** Values that are hidden wherever they occur, such as those of the environment. */
  readonly secrets: readonly string[];
  /** Your home folder, which becomes `~`; `null`: it stays. */
  readonly home: string | null;
};

/** The report of an emergency stop (spec 3-interventions): no secret in it, and at most `MAX_REPORT_BYTES` long. */
export function incidentReport(input: IncidentInput): IncidentReport {
  const { facts, decisions, secrets, home } = input;
  // This attempt showed the outcomes of the interventions before.
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
      duration_ms: durationOf(facts, issue.type),
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
        ? recoveryPlan([issue], facts, `Then choose how to continue: ralph resume ${id}`)
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

/** The worst finding that the stop answers; without one, the stop's own reason. */
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

/** Time that went into attempts with the issue, this one included. */
function durationOf({ taskState, durationMs }: IterationFacts, issue: string): number {
  const earlier = taskState.attempts.filter(({ findings }) => findings.includes(issue));
  return earlier.reduce((sum, attempt) => sum + attempt.durationMs, durationMs);
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

/** The same report with `~` for the home folder in all of its texts. */
function withoutHome(report: IncidentReport, home: string): IncidentReport {
  if (home.length < 2) return report;
  const written = JSON.stringify(home).slice(1, -1);
  const literal = written.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return JSON.parse(JSON.stringify(report).replace(new RegExp(`${literal}(?![\\w-])`, 'g'), '~'));
}
