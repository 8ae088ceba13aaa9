import { pathsOf } from '../domain/change-set.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import type { EventDraft } from '../domain/records/event.ts';
import type { IterationFacts } from '../domain/records/iteration.ts';
import { isOutsideCause, type Verdict } from '../domain/verdict.ts';
import { shadowsIn } from '../domain/workflow/roles.ts';
import { expectedPathsOf } from '../lib/scope/expected-paths.ts';
import {
  CORRECTIONS,
  NOTHING_OBSERVED,
  type RoleObservation,
  roleSigns,
  taskSummary,
} from '../respond/roles/index.ts';

type Facts = Pick<
  IterationFacts,
  'task' | 'changes' | 'observed' | 'report' | 'gates' | 'workflow' | 'iteration' | 'endedAt'
>;

/**
 * The shadow of a maker that works alone: a warning, and its correction in the next prompt. Of work that is done, or that
 * something outside ended, nothing is left to correct.
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

function observationOf({ task, changes, observed, report, gates }: Facts): RoleObservation {
  const paths = pathsOf(changes);
  const expected = expectedPathsOf({ expectedPaths: task.expectedPaths ?? [] });
  const commands = observed.actions.filter(({ kind }) => kind === 'system_command').map(({ text }) => text);
  return {
    ...{ ...NOTHING_OBSERVED, task: taskSummary(task) },
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
