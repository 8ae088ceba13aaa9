import type { InputsDocument } from '../../domain/records/run-record.ts';
import type { TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import type { Correction, Planner, Role, RoleRun, WorkflowFacts } from '../../domain/workflow/roles.ts';
import { plannerSigns } from './decide-workflow.ts';
import { type RolePrompt, rolePrompt } from './prompt.ts';
import { taskLook } from './shadows/look.ts';

/** What every role's prompt of an iteration follows from. */
export type RoleBasis = {
  readonly facts: { readonly task: Task; readonly taskState: Pick<TaskState, 'workflow'> };
  readonly inputs: Pick<InputsDocument, 'constraints' | 'roleTemplates'>;
};

/**
 * The prompt of a planner.
 *
 * @param runs The planners' runs before it. One of the same role was the last: it showed its shadow, and is corrected.
 */
export function plannerPrompt(basis: RoleBasis, role: Planner, runs: readonly RoleRun[]): string {
  const exploration = runs.findLast((one) => one.role === 'explorer')?.turns.at(-1);
  const last = runs.at(-1);
  const again = last?.role === role ? plannerSigns(last, taskLook(basis.facts.task)) : [];
  return rolePrompt({
    ...common(basis, role),
    exploration: exploration?.trouble === null ? exploration.text : '',
    ...{ plan: null, earlier: [], change: { diff: '', files: [] }, adversarial: false, nonce: null },
    corrections: [...correctionsOf(basis, role), ...again],
  });
}

/** The prompt of a reviewer, of one question. */
export function reviewerPrompt(
  basis: RoleBasis,
  { role, plan, diff, files, adversarial }: Pick<RolePrompt, 'role' | 'adversarial'> & Reviewed,
  nonce: string | null,
): string {
  const earlier = basis.facts.taskState.workflow?.reviews.filter((one) => one.role === role).at(-1);
  return rolePrompt({
    ...common(basis, role),
    ...{ exploration: '', plan, change: { diff, files }, adversarial, nonce },
    earlier: earlier?.findings.map((finding) => ({ role, finding })) ?? [],
    corrections: correctionsOf(basis, role),
  });
}

type Reviewed = Pick<WorkflowFacts, 'plan' | 'diff' | 'files'>;

function common({ facts: { task }, inputs }: RoleBasis, role: RolePrompt['role']) {
  const { id, title, description, acceptance, notes } = task;
  const constraints = [...new Set([...inputs.constraints, ...task.constraints])];
  const told = { id, title, description, acceptance, notes, constraints };
  return {
    role,
    template: inputs.roleTemplates[role] ?? null,
    task: { ...told, expectedPaths: task.expectedPaths ?? [] },
  };
}

/** Corrective actions that wait for this role. */
function correctionsOf({ facts }: RoleBasis, role: Role): readonly Correction[] {
  return facts.taskState.workflow?.corrections.filter((one) => one.role === role) ?? [];
}
