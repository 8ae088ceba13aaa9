import { type Role, timesReplaced } from '../../domain/workflow/roles.ts';
import { replacementFor } from '../../respond/roles/index.ts';
import type { RoleAgent, RoleAgents, WorkflowSetup } from '../context.ts';
import type { Begun } from '../start/begin.ts';

type Assigned = { readonly agent: RoleAgent; readonly isAnother: boolean };

/** Who takes a role in this iteration: the first agent, or the one that replaced it; `more`: replacements beyond those. */
export function agentFor(setup: WorkflowSetup, { facts }: Begun, role: Role, more = 0): Assigned | null {
  const all = setup.agents.get(role);
  if (all === undefined) return null;
  const times = timesReplaced(facts.taskState.workflow, role);
  const nameOf = ({ adapter, model }: RoleAgent) => ({ agent: adapter.name, model });
  const chosen = replacementFor(nameOf(all.first), all.others.map(nameOf), times + more);
  return { agent: agentOf(all, chosen.chosen), isAnother: chosen.isAnother };
}

/** `guardian`, and `guardian (codex)` where that isn't the maker's agent. */
export function roleLabel(setup: WorkflowSetup, begun: Begun, role: Role): string {
  const assigned = agentFor(setup, begun, role);
  const name = assigned?.agent.adapter.name ?? begun.facts.agent;
  return name === begun.facts.agent ? role : `${role} (${name})`;
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
