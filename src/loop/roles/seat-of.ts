import { type Role, timesReplaced } from '../../domain/workflow/roles.ts';
import { replacementFor } from '../../respond/roles/index.ts';
import type { RoleSeat, SeatAgent, WorkflowSetup } from '../context.ts';
import type { Begun } from '../iteration/begin.ts';

type Seated = { readonly agent: SeatAgent; readonly isAnother: boolean };

/** Who takes a role in this iteration: the first agent, or the one that replaced it; `more`: replacements beyond those. */
export function seatOf(setup: WorkflowSetup, { facts }: Begun, role: Role, more = 0): Seated | null {
  const seat = setup.seats.get(role);
  if (seat === undefined) return null;
  const times = timesReplaced(facts.taskState.workflow, role);
  const nameOf = ({ adapter, model }: SeatAgent) => ({ agent: adapter.name, model });
  const chosen = replacementFor(nameOf(seat.first), seat.others.map(nameOf), times + more);
  return { agent: agentOf(seat, chosen.chosen), isAnother: chosen.isAnother };
}

/** `guardian`, and `guardian (codex)` where that isn't the maker's agent. */
export function roleLabel(setup: WorkflowSetup, begun: Begun, role: Role): string {
  const seat = seatOf(setup, begun, role);
  const name = seat?.agent.adapter.name ?? begun.facts.agent;
  return name === begun.facts.agent ? role : `${role} (${name})`;
}

function agentOf(
  { first, others }: RoleSeat,
  { agent, model }: { readonly agent: string; readonly model: string | null },
): SeatAgent {
  return [first, ...others].find((one) => one.adapter.name === agent && one.model === model) ?? first;
}

export function sameAgent(one: SeatAgent, other: SeatAgent): boolean {
  return one.adapter.name === other.adapter.name && one.model === other.model;
}
