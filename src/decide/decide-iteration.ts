import type { Claim } from '../domain/claim.ts';
import {
  DecisionSections,
  FactSections,
  type IterationDecisions,
  type IterationFacts,
  inSections,
  together,
} from '../domain/records/iteration.ts';
import { strictest } from '../domain/verdict.ts';
import { agent } from './rooms/agent.ts';
import { changes } from './rooms/changes.ts';
import { claim } from './rooms/claim.ts';
import { events } from './rooms/events.ts';
import { feedback } from './rooms/feedback.ts';
import { findings } from './rooms/findings.ts';
import { gates } from './rooms/gates.ts';
import { human } from './rooms/human.ts';
import { interventions } from './rooms/interventions.ts';
import { policy } from './rooms/policy.ts';
import { profile } from './rooms/profile.ts';
import { proof } from './rooms/proof.ts';
import type { Decided, InOrder, Room, RoomVerdict } from './rooms/room.ts';
import { runs } from './rooms/runs.ts';
import { task } from './rooms/task.ts';
import { verdict } from './rooms/verdict.ts';
import { workflow } from './rooms/workflow.ts';

/** Rooms that judge only the agent's work. They trust the work tree most, then the gates, then the agent. */
const OF_WORK = [agent, claim, changes, runs, proof, gates, findings] as const;
const OTHERS = [workflow, human, interventions, verdict, task, profile, feedback, policy, events] as const;

type Start = { readonly claimed: Claim | null; readonly verdicts: readonly RoomVerdict[] };
type OfWork = InOrder<typeof OF_WORK, FactSections['attempt'], Start>;
type All = InOrder<readonly [...typeof OF_WORK, ...typeof OTHERS], FactSections['attempt'], Start>;

type Asked = Room<string, never, never, Decided>;

/**
 * Asks the rooms in order. Each room gets the facts of its own section and of earlier rooms, with the decisions of
 * these rooms.
 */
function ask(rooms: readonly Asked[], facts: IterationFacts, claimed: Claim | null): Start {
  const sections: Readonly<Record<string, object>> = inSections(FactSections, facts);
  let seen = sections.attempt;
  let before: Start = { claimed, verdicts: [] };
  for (const { name, decide } of rooms) {
    seen = { ...seen, ...sections[name] };
    const { verdicts = [], ...decided } = decide(seen as never, before as never);
    before = {
      ...before,
      ...decided,
      verdicts: [...before.verdicts, ...verdicts.map((one) => ({ ...one, room: name }))],
    };
  }
  return before;
}

/**
 * Returns all decisions of an iteration. Equal facts give equal decisions (`DECIDER_VERSION`).
 * @param claimed Result of `claimOf` for the facts, if known.
 */
export function decideIteration(facts: IterationFacts, claimed: Claim | null = null): IterationDecisions {
  const all: IterationDecisions = ask([...OF_WORK, ...OTHERS], facts, claimed) as All;
  return together(inSections(DecisionSections, all));
}

export function judge(facts: IterationFacts, claimed: Claim | null = null) {
  const { attempt, findings, verdicts } = ask(OF_WORK, facts, claimed) as OfWork;
  const { verdict, cause } = strictest(verdicts);
  return { attempt, findings, verdict, cause };
}
