import type { AgentEnd } from '../domain/agent.ts';
import type { Finding } from '../domain/finding.ts';
import { INCIDENT_ACTIONS, type IncidentReport } from '../domain/incident.ts';
import type { Intervention } from '../domain/intervention.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { formatDuration } from '../lib/duration.ts';
import { redactDeep } from '../lib/redact-deep.ts';
import { unreachable } from '../lib/unreachable.ts';
import { judged } from './assess.ts';
import { chooseCheckpoint } from './choose-checkpoint.ts';
import { adviceFor } from './incident-advice.ts';
import { contributingFactors } from './incident-factors.ts';
import { recoveryOptions } from './incident-options.ts';
import { boundedReport } from './incident-size.ts';
import { incidentTimeline } from './incident-timeline.ts';

export type IncidentInput = {
  /** `INC-N`. */
  readonly id: string;
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  /** The emergency stop. */
  readonly stop: Intervention;
  /** Values that are hidden wherever they occur, such as those of the environment. */
  readonly secrets: readonly string[];
  /** The person's home folder, which becomes `~`; `null`: it stays. */
  readonly home: string | null;
};

/** The report of an emergency stop (spec 3-interventions): no secret in it, and at most `MAX_REPORT_BYTES` long. */
export function incidentReport(given: IncidentInput): IncidentReport {
  const input = { ...given, facts: withOutcomes(given) };
  const { facts, secrets, home } = input;
  const report = redactDeep(fullReport(input), [...secrets]);
  return boundedReport(home === null ? report : withoutHome(report, home), facts.task.id);
}

/** What became of the interventions before is known from this attempt. */
function withOutcomes({ facts, decisions }: IncidentInput): IterationFacts {
  const { taskState } = facts;
  return {
    ...facts,
    taskState: {
      ...taskState,
      interventions: [...judged(taskState.interventions, decisions.assessed)],
    },
  };
}

function fullReport({ id, facts, decisions, stop }: IncidentInput): IncidentReport {
  const { record } = stop;
  const { observed, resources } = facts;
  const issue = issueOf(facts, decisions, stop);
  const checkpoint = chooseCheckpoint(
    {
      checkpoints: facts.checkpoints,
      iteration: facts.iteration,
      settings: facts.settings.control,
      taskState: facts.taskState,
    },
    [issue.type],
  );
  const { rootCause, ...recommendations } = adviceFor(issue);
  return {
    $schema: 'ralph.incident.v1',
    id,
    at: record.at,
    run: facts.run,
    iteration: facts.iteration,
    task: { id: facts.task.id, title: facts.task.title },
    agent: facts.agent,
    summary: `ralph stopped ${facts.agent} at ${facts.task.id}: ${issue.summary}`,
    severity: record.severity,
    issue,
    timeline: incidentTimeline(facts, decisions, stop, endSaid(facts.end)),
    impact: {
      files: changedFiles(facts),
      resources,
      duration_ms: durationOf(facts, issue.type),
    },
    root_cause: rootCause,
    contributing_factors: contributingFactors(facts, decisions, stop),
    recommendations: {
      immediate: [...recommendations.immediate],
      preventive: [...recommendations.preventive],
      configuration: [...recommendations.configuration],
    },
    recovery_options: recoveryOptions(id, facts.task.id, checkpoint?.id ?? null),
    state_snapshot: {
      attempt: facts.attempt,
      verdict: decisions.verdict.kind,
      tree_before: facts.changes.before.tree,
      tree_after: facts.changes.after.tree,
      limits: facts.limits,
      interventions: [...facts.taskState.interventions, record],
      checkpoint: checkpoint?.id ?? null,
    },
    last_actions: observed.actions.slice(-INCIDENT_ACTIONS),
    pattern_detections: decisions.findings,
    resource_usage: resources,
  };
}

/** The worst finding of what the stop answers; a record that has none left is told with the stop's own words. */
function issueOf(
  facts: IterationFacts,
  { findings }: IterationDecisions,
  { record, plan }: Intervention,
): Finding {
  const own = findings.filter(({ type }) => type === record.issue);
  const worst = own.find(({ severity }) => severity === record.severity) ?? own[0];
  return (
    worst ?? {
      type: record.issue,
      severity: record.severity,
      confidence: 1,
      impactFactor: 0,
      taskId: facts.task.id,
      iteration: facts.iteration,
      summary: plan.type === 'emergency_stop' ? plan.reason : record.issue,
      details: {},
    }
  );
}

/** Time that went into attempts with the issue, this one included. */
function durationOf({ taskState, durationMs }: IterationFacts, issue: string): number {
  const earlier = taskState.attempts.filter(({ findings }) => findings.includes(issue));
  return earlier.reduce((sum, attempt) => sum + attempt.durationMs, durationMs);
}

function changedFiles({
  changes,
  tampering,
  credentials,
}: IterationFacts): IncidentReport['impact']['files'] {
  const held = (path: string) =>
    credentials
      .filter((one) => one.path === path)
      .map(({ kind, line }) => `; holds a ${kind} in line ${line}`);
  return [
    ...tampering.map(({ path, change }) => ({ path, change: `${change}, and put back by ralph` })),
    ...changes.changes.map(({ path, oldPath, kind }) => {
      const change = oldPath === null ? kind.replaceAll('_', ' ') : `renamed from ${oldPath}`;
      return { path, change: `${change}${held(path).join('')}` };
    }),
  ];
}

/** How the agent came to its end, for the timeline. */
function endSaid(end: AgentEnd): string {
  switch (end.kind) {
    case 'exited':
      return `The agent ended with exit code ${end.code}.`;
    case 'signalled':
      return `The agent was ended by ${end.signal}.`;
    case 'timed_out':
      return end.which === 'wall'
        ? `The agent was ended at its time limit, after ${formatDuration(end.afterMs)}.`
        : `The agent was ended because nothing was heard of it, after ${formatDuration(end.afterMs)}.`;
    case 'interrupted':
      return `A person stopped ralph (${end.signal}).`;
    case 'spawn_failed':
      return `The agent could not be started: ${end.message}`;
    case 'halted':
      return `ralph ended the agent: ${end.message}`;
    default:
      return unreachable(end);
  }
}

/** The same report with `~` for the home folder in all of its texts. */
function withoutHome<T>(value: T, home: string): T {
  if (home.length < 2) return value;
  const literal = home.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const place = new RegExp(`${literal}(?![\\w-])`, 'g');
  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return given.replace(place, '~');
    if (Array.isArray(given)) return given.map(walk);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(
      Object.entries(given).map(([key, inner]) => [key.replace(place, '~'), walk(inner)]),
    );
  };
  return walk(value) as T;
}
