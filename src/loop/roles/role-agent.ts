import { type Role, timesReplaced } from '../../domain/workflow/roles.ts';
import { replacementFor } from '../../respond/roles/index.ts';
import type { RoleAgent, RoleAgents, WorkflowSetup } from '../context.ts';
import type { StartedIteration } from '../start/begin.ts';

type Assigned = { readonly agent: RoleAgent; readonly isAnother: boolean };

/**
 * Returns the agent of a role; `null`: the role isn't in the workflow.
 * @param more Number of replacements to skip in addition to those already made.
 */
export function agentFor(
  setup: WorkflowSetup,
  { facts }: StartedIteration,
  role: Role,
  more = 0,
): Assigned | null {
  const all = setup.agents.get(role);
  if (all === undefined) return null;
  const times = timesReplaced(facts.taskState.workflow, role);
  const nameOf = ({ adapter, model }: RoleAgent) => ({ agent: adapter.name, model });
  const chosen = replacementFor(nameOf(all.first), all.others.map(nameOf), times + more);
  return { agent: agentOf(all, chosen.chosen), isAnother: chosen.isAnother };
}

/** Returns the name of a role on screen: `guardian`, or `guardian (codex)` if its agent isn't the maker's. */
export function roleLabel(setup: WorkflowSetup, basis: StartedIteration, role: Role): string {
  const assigned = agentFor(setup, basis, role);
  const name = assigned?.agent.adapter.name ?? basis.facts.agent;
  return name === basis.facts.agent ? role : `${role} (${name})`;
}

function agentOf(
  { first, others }: RoleAgents,
  { agent, model }: { readonly agent: string; readonly model: string | null },
): RoleAgent {
  return [first, ...others].find((one) => one.adapter.name === agent && one.model === model) ?? first;
}

export function sameAgent(one: RoleAgent, other: RoleAgent): boolean {
  return one.adapter.name === other.adapter.name && one.model === other.model;
}
