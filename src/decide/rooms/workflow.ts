import { bullets } from 'ralph-kit/markdown';
import { expectedPathsOf } from 'ralph-kit/scope/expected-paths';
import { pathsOf } from '../../domain/change-set.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { CycleFinding } from '../../domain/policy.ts';
import type { EventDraft } from '../../domain/records/event.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { spendOf } from '../../domain/spend-of.ts';
import { isOutsideCause, type Judgement, strictest, type Verdict } from '../../domain/verdict.ts';
import { GRAVITY, type RoleRun, shadowsIn, type WorkflowDecisions } from '../../domain/workflow/roles.ts';
import type { Attempt } from '../../proof/findings/index.ts';
import { tracked } from '../../respond/policy/index.ts';
import {
  CORRECTIONS,
  decideWorkflow,
  findingLine,
  NOTHING_OBSERVED,
  type RoleObservation,
  roleSigns,
  taskSummary,
} from '../../respond/roles/index.ts';
import { type RoomVerdict, room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'workflow'>;
type Before = Pick<Attempt, 'gates' | 'gateReport'> & { readonly verdicts: readonly RoomVerdict[] };

/** Decides about the roles beside the maker; `null`: the maker works alone. */
export const workflow = room('workflow', (facts: Facts, { gates, gateReport, verdicts }: Before) => {
  const { workflow, task, taskState, settings, changes } = facts;
  if (workflow === null) return { workflow: null };
  const decided = {
    ...decideWorkflow({
      workflow,
      before: taskState.workflow,
      task: taskSummary(task),
      changed: pathsOf(changes),
      commits: changes.commits.length,
      doMs: facts.durationMs,
      gatesPassed: gates.length > 0 && gateReport.judgements.every(({ counts }) => !counts),
      isComplete: strictest(verdicts).verdict.kind === 'done',
    }),
    spend: spendByRole(workflow.runs, settings.prices),
  };
  return { workflow: decided, verdicts: verdictsOf(decided) };
});

/** Returns a verdict if reviewers reject finished work. An approval never improves a verdict. */
function verdictsOf({ rejected, outside }: WorkflowDecisions): Judgement[] {
  if (rejected === null) return [];
  const { roles, why } = rejected;
  return outside === null
    ? [{ verdict: { kind: 'changes_requested', roles }, cause: `Not accepted: ${why}.` }]
    : [{ verdict: outside, cause: `Not reviewed: ${why}.` }];
}

function spendByRole(runs: readonly RoleRun[], prices: Facts['settings']['prices']) {
  const roleAgents = new Map(runs.map(({ role, agent }) => [`${role} ${agent}`, { role, agent }]));
  return [...roleAgents.values()].map(({ role, agent }) => ({
    role,
    agent,
    spend: runs
      .filter((run) => run.role === role && run.agent === agent)
      .flatMap(({ turns }) => turns.flatMap(({ usage }) => spendOf(usage, prices))),
  }));
}

/**
 * Returns a reviewer's finding in the form that cycles keep. Its key is the category, by which findings are summed up
 * if there are too many for one prompt.
 */
function asTracked(placed: WorkflowDecisions['findings'][number]): CycleFinding {
  const { category, severity } = placed.finding;
  return {
    key: category.trim().toLowerCase().replaceAll(':', ' '),
    severity: GRAVITY[severity],
    summary: findingLine(placed),
  };
}

export function workflowFeedback(
  { iteration, task, endedAt }: Pick<Facts, 'iteration' | 'task' | 'endedAt'>,
  workflow: WorkflowDecisions | null,
): FeedbackEntry[] {
  if (workflow === null) return [];
  const entry = (kind: string, text: string): FeedbackEntry => ({
    at: endedAt,
    taskId: task.id,
    iteration,
    kind,
    source: 'loop',
    text,
  });
  const { findings, rejected, next } = workflow;
  const lines = tracked(findings.map(asTracked)).map(({ summary }) => summary);
  const review =
    rejected === null || lines.length === 0
      ? []
      : [
          entry(
            'changes_requested',
            `**CHANGES REQUESTED**: In iteration ${iteration}, ${rejected.why}. Fix each of these, the worst first, then report DONE again:\n\n${bullets(lines)}`,
          ),
        ];
  const corrections = next.corrections.filter(({ role }) => role === 'maker');
  return [
    ...review,
    ...corrections.map(({ issue, text }) => entry(issue, `**CORRECTION** (${issue}): ${text}`)),
  ];
}

export function workflowEvents(
  { task, workflow: facts }: FactsOf<'attempt' | 'workflow'>,
  workflow: WorkflowDecisions | null,
): EventDraft[] {
  if (facts === null || workflow === null) return [];
  const shadows = workflow.escalations.map(
    ({ layer, issue, times, step }): EventDraft => ({
      event_type: 'shadow_detected',
      severity: step === 'correct' ? 'warning' : 'critical',
      details: { task_id: task.id, layer, issue, times, step },
      remediation_attempted: true,
    }),
  );
  const wrote = (role: string | null, paths: readonly string[]): EventDraft => ({
    event_type: 'role_wrote',
    severity: 'warning',
    details: { task_id: task.id, role, paths },
    remediation_attempted: true,
  });
  const inCopies = facts.runs.filter(({ wroteInCopy }) => wroteInCopy.length > 0);
  return [...shadows, ...inCopies.map(({ role, wroteInCopy }) => wrote(role, wroteInCopy))];
}

/**
 * Returns events and feedback if a maker without reviewers overdoes its strength (its shadow): a warning, and a
 * correction for the next prompt. Empty for work that is done, or that an outside cause ended.
 */
export function soloShadow(
  facts: Facts,
  verdict: Verdict,
): { readonly events: readonly EventDraft[]; readonly feedback: readonly FeedbackEntry[] } {
  const { task, changes, workflow, iteration, endedAt: at } = facts;
  if (workflow !== null || verdict.kind === 'done' || isOutsideCause(verdict.kind)) return NONE;
  const [issue] = shadowsIn(roleSigns('maker', observationOf(facts)));
  if (issue === undefined || changes.changes.length === 0) return NONE;
  const details = { task_id: task.id, layer: 'role', issue, times: 1, step: 'correct' };
  const text = `**CORRECTION** (${issue}, iteration ${iteration} of task ${task.id}): ${CORRECTIONS.maker}`;
  return {
    events: [{ event_type: 'shadow_detected', severity: 'warning', details, remediation_attempted: true }],
    feedback: [{ at, taskId: task.id, iteration, kind: issue, source: 'loop', text }],
  };
}

const NONE = { events: [], feedback: [] };

function observationOf(facts: Facts): RoleObservation {
  const { task, changes, observed, report } = facts;
  const gates = gatesIn(facts);
  const paths = pathsOf(changes);
  const expected = expectedPathsOf({ expectedPaths: task.expectedPaths ?? [] });
  const commands = observed.actions.filter(({ kind }) => kind === 'system_command').map(({ text }) => text);
  return {
    ...NOTHING_OBSERVED,
    task: taskSummary(task),
    changed: changes.changes.map(({ path, linesAdded: added, linesRemoved: removed }) => ({
      path,
      added,
      removed,
    })),
    proposal: task.expectedPaths,
    outside: expected === null ? [] : paths.filter((path) => !expected.matches(path)),
    commits: changes.commits.length,
    commands: report.toolCalls === 0 ? null : commands,
    gatesPassed: gates.length > 0 && gates.every(({ outcome }) => outcome.kind === 'passed'),
  };
}
