import { pathsOf } from '../domain/change-set.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import type { CycleFinding } from '../domain/policy.ts';
import type { EventDraft } from '../domain/records/event.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import type { Verdict } from '../domain/verdict.ts';
import { GRAVITY, type RoleRun, type WorkflowDecisions } from '../domain/workflow/roles.ts';
import { bullets } from '../lib/markdown.ts';
import type { Attempt } from '../proof/findings/index.ts';
import { spendOf } from '../report/index.ts';
import { tracked } from '../respond/policy/index.ts';
import { decideWorkflow, findingLine, taskSummary } from '../respond/roles/index.ts';

/** What follows from the roles beside the maker; `null`: it works alone. */
export function workflowOf(
  facts: IterationFacts,
  { changes, gateReport }: Pick<Attempt, 'changes' | 'gateReport'>,
  verdict: Verdict,
): WorkflowDecisions | null {
  const { workflow, task, taskState, settings } = facts;
  if (workflow === null) return null;
  const decided = decideWorkflow({
    workflow,
    before: taskState.workflow,
    task: taskSummary(task),
    changed: pathsOf(changes),
    commits: facts.changes.commits.length,
    doMs: facts.durationMs,
    gatesPassed: facts.gates.length > 0 && gateReport.judgements.every(({ counts }) => !counts),
    isComplete: verdict.kind === 'done',
  });
  return { ...decided, spend: spendByRole(workflow.runs, settings.prices) };
}

function spendByRole(runs: readonly RoleRun[], prices: IterationFacts['settings']['prices']) {
  const seats = new Map(runs.map(({ role, agent }) => [`${role} ${agent}`, { role, agent }]));
  return [...seats.values()].map(({ role, agent }) => ({
    ...{ role, agent },
    spend: runs
      .filter((run) => run.role === role && run.agent === agent)
      .flatMap(({ turns }) => turns.flatMap(({ usage }) => spendOf(usage, prices))),
  }));
}

type Judged = Pick<IterationDecisions, 'verdict' | 'cause'>;

/** Reviewers speak against what would be done; nothing that they say makes more of an attempt. */
export function stricter(judged: Judged, workflow: WorkflowDecisions | null): Judged {
  const rejected = workflow?.rejected ?? null;
  if (rejected === null) return judged;
  const { roles, why } = rejected;
  if (workflow?.outside != null) return { verdict: workflow.outside, cause: `Not reviewed: ${why}.` };
  return { verdict: { kind: 'changes_requested', roles }, cause: `Not accepted: ${why}.` };
}

/** By its category, which is the theme where there are too many for one prompt. */
function asTracked(placed: WorkflowDecisions['findings'][number]): CycleFinding {
  const { category, severity } = placed.finding;
  return {
    key: category.trim().toLowerCase().replaceAll(':', ' '),
    severity: GRAVITY[severity],
    summary: findingLine(placed),
  };
}

/** What the maker has to know of it. */
export function workflowFeedback(
  { iteration, task, endedAt }: IterationFacts,
  workflow: WorkflowDecisions | null,
): FeedbackEntry[] {
  if (workflow === null) return [];
  const entry = (kind: string, text: string): FeedbackEntry => ({
    ...{ at: endedAt, taskId: task.id, iteration, kind, source: 'loop', text },
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

/** One event for each step of the protocol, and for each role that wrote. */
export function workflowEvents(
  { task, workflow: facts }: IterationFacts,
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
