import type { Correction, Role } from '../../domain/workflow/roles.ts';
import type { RolePrompt } from '../../roles/index.ts';
import type { LoopContext, WorkflowSetup } from '../context.ts';
import type { Begun } from '../iteration/begin.ts';

/** The task, as the other roles are told it. */
export function aboutTask({ facts: { task }, inputs }: Begun): RolePrompt['task'] {
  const { id, title, description, acceptance, notes } = task;
  const constraints = [...new Set([...inputs.constraints, ...task.constraints])];
  return { id, title, description, acceptance, notes, constraints, expectedPaths: task.expectedPaths ?? [] };
}

/** Corrective actions that wait for this role. */
export function correctionsOf({ facts }: Begun, role: Role): readonly Correction[] {
  return facts.taskState.workflow?.corrections.filter((one) => one.role === role) ?? [];
}

/** Your own template of a role; `null`: the built-in one. */
export function templateOf({ ports }: LoopContext, { seats }: WorkflowSetup, role: Role): string | null {
  const path = seats.get(role)?.template;
  const text = path === undefined ? null : ports.readFile(path);
  return text === null || text.trim() === '' ? null : text;
}
