import type { Escalation } from '../../domain/workflow/escalation.ts';
import {
  type ShadowSign,
  shadowsIn,
  type TaskWorkflow,
  type WorkflowDecisions,
  type WorkflowFacts,
  type WorkflowScore,
} from '../../domain/workflow/roles.ts';
import { isSameFinding } from './similar.ts';

type Scored = {
  readonly workflow: WorkflowFacts;
  readonly answers: readonly WorkflowDecisions['answers'][number][];
  readonly before: TaskWorkflow;
  readonly signs: readonly ShadowSign[];
  readonly escalations: readonly Escalation[];
};

/** How well each role and each corrective action did in this iteration. */
export function scoreOf(scored: Scored): WorkflowScore {
  return { roles: rolesOf(scored), actions: actionsOf(scored) };
}

function rolesOf({ workflow, answers, before, signs }: Scored): WorkflowScore['roles'] {
  const roles = [...new Set(workflow.runs.map(({ role }) => role))];
  const shadowed = new Set(shadowsIn(signs).map((shadow) => shadow.split(':')[0]));
  const now = answers.flatMap(({ answer }) => answer?.findings ?? []);
  return roles.map((role) => {
    const runs = workflow.runs.filter((run) => run.role === role);
    const own = answers.filter((one) => one.role === role);
    const lastCycle = Math.max(
      0,
      ...before.reviews.filter((one) => one.role === role).map(({ cycle }) => cycle),
    );
    const earlier = before.reviews
      .filter((one) => one.role === role && one.cycle === lastCycle)
      .flatMap(({ findings }) => findings);
    return {
      role,
      runs: runs.length,
      failed: own.filter(({ answer }) => answer === null).length,
      findings: own.flatMap(({ answer }) => answer?.findings ?? []).length,
      resolved: own.some(({ answer }) => answer !== null)
        ? earlier.filter((one) => !now.some((other) => isSameFinding(one, other))).length
        : 0,
      shadows: shadowed.has(role) ? 1 : 0,
      wrote: runs.filter(({ wroteInCopy }) => wroteInCopy.length > 0).length,
    };
  });
}

/** Of what was done before, whether it helped; of what is done now, that it was. */
function actionsOf({ workflow, before, signs, escalations }: Scored): WorkflowScore['actions'] {
  const found = new Set(shadowsIn(signs));
  const looked = new Set<string>(['maker', ...workflow.runs.map(({ role }) => role)]);
  const helped = before.issues
    .filter(
      ({ isOpen, layer, issue }) => isOpen && (layer === 'system' || looked.has(issue.split(':')[0] ?? '')),
    )
    .filter(({ issue }) => !found.has(issue))
    .map(({ issue, step }) => ({ issue, step, applied: 0, helped: 1 }));
  return [...helped, ...escalations.map(({ issue, step }) => ({ issue, step, applied: 1, helped: 0 }))];
}
