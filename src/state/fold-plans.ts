import { type PlannedTask, PROPOSALS_KEPT, type Proposal } from '../domain/plan.ts';
import { addCost, NO_COST } from '../domain/policy.ts';
import type { JournalRecordOf } from '../domain/records/journal.ts';
import { costOf, spentOf } from '../domain/spend.ts';
import type { Draft } from './draft.ts';
import { addSpendCells } from './fold-iteration.ts';

/** Name under which costs of planning are kept if they aren't about one task. */
const PLANNING = 'plan';

/** Adds the costs of planning, which uses the same budget as work. */
export function foldPlanDrafted(
  draft: Draft,
  { by, tasks, spend, at }: JournalRecordOf<'plan_drafted'>,
): void {
  const { budget } = draft.policy;
  const spent = addCost(budget.spent, { ...NO_COST, ...costOf(spentOf(spend)) });
  draft.policy = { ...draft.policy, budget: { ...budget, spent } };
  addSpendCells(draft, by.kind === 'plan' ? PLANNING : by.taskId, [{ agent: by.agent, spend }]);
  propose(draft, { at, by, tasks });
}

/** Adds proposed tasks. A proposal that the next attempt repeats isn't added again. */
export function foldProposed(draft: Draft, record: JournalRecordOf<'iteration_finished'>): void {
  const { run, iteration, taskId, attempt, proposed, at } = record;
  const known = new Set(draft.proposals.flatMap(({ tasks }) => tasks.map(({ title }) => title)));
  const by = { kind: 'attempt', agent: attempt.agent, run, iteration, taskId } as const;
  propose(draft, { at, by, tasks: proposed.filter(({ title }) => !known.has(title)) });
}

function propose(draft: Draft, given: Omit<Proposal, 'id'> & { tasks: readonly PlannedTask[] }): void {
  if (given.tasks.length === 0) return;
  draft.counters.proposal += 1;
  const proposal = { ...given, tasks: [...given.tasks], id: `P-${draft.counters.proposal}` };
  draft.proposals = [...draft.proposals, proposal].slice(-PROPOSALS_KEPT);
}

export function foldProposalSettled(draft: Draft, { id }: JournalRecordOf<'proposal_settled'>): void {
  draft.proposals = draft.proposals.filter((one) => one.id !== id);
}
