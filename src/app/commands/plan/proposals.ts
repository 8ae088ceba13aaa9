import { counted } from 'ralph-kit/counted';
import { didYouMean } from 'ralph-kit/nearest';
import { checkPlan, listPlanOf } from '../../../decide/index.ts';
import { exitCodeOf } from '../../../domain/exit.ts';
import type { Proposal } from '../../../domain/plan.ts';
import { openIterations } from '../../../domain/records/state.ts';
import { type DataOf, type Failure, failure, success } from '../../result.ts';
import type { TrustAnswer } from '../../setup/check-trust.ts';
import { acceptTasks } from '../../setup/trust/task-trust.ts';
import { continueIn, inTaskList, type ProjectInput, type TaskList } from '../../setup/workspace.ts';
import { planWorld, type ShownPlan, shownPlan } from './shown-plan.ts';

/** Asks whether you accept a plan; `null`: there is no terminal. */
export type AskPlan = ((shown: ShownPlan) => Promise<TrustAnswer>) | null;

export type ProposalsResult = DataOf<typeof proposals>;

export function proposals(input: ProjectInput) {
  return inTaskList({ ...input, owner: 'list' }, (list) =>
    success({
      proposals: list.project.store.state.proposals.map((one) => shownPlan(one, worldOf(list, one))),
    }),
  );
}

export type SettleInput = ProjectInput & {
  readonly action: 'accept' | 'drop';
  /** Id of a proposal; `null`: the only one. */
  readonly id: string | null;
  readonly yes: boolean;
  readonly ask: AskPlan;
};

export function settleProposal({ action, id, yes, ask, ...input }: SettleInput) {
  return inTaskList({ ...input, owner: 'list' }, async (list) => {
    const { proposals: all } = list.project.store.state;
    const chosen = chooseProposal(all, id, `ralph plan ${action}`);
    if (!chosen.ok) return chosen;
    const { proposal } = chosen;
    return action === 'drop' ? drop(list, proposal) : offerPlan(list, proposal, { yes, ask });
  });
}

export type PlanResult = DataOf<typeof offerPlan>;

/** Asks whether to add a proposal's tasks to the list: a no drops it, and no answer keeps it. */
export async function offerPlan(
  list: TaskList,
  proposal: Proposal,
  { yes, ask }: { readonly yes: boolean; readonly ask: AskPlan },
) {
  const shown = shownPlan(proposal, worldOf(list, proposal));
  const answer = yes ? 'yes' : ask === null ? null : await ask(shown);
  const canAsk = !yes && ask !== null;
  if (answer === 'no') return drop(list, proposal);
  if (answer === 'stopped')
    return failure('Nothing was written.', `ralph plan accept ${proposal.id}`, exitCodeOf('SIGINT'));
  if (answer === null)
    return success({ ...(await outcomeOf(list, shown, 'kept')), asked: canAsk, added: [] });
  const taken = await takePlan(list, proposal);
  return taken.ok
    ? success({ ...(await outcomeOf(list, shown, 'accepted')), asked: canAsk, added: taken.added })
    : taken;
}

async function outcomeOf(
  { tracker, project }: TaskList,
  plan: ShownPlan,
  outcome: 'kept' | 'accepted' | 'dropped',
) {
  const next = await continueIn(project);
  return { outcome, plan, tracker: tracker.name, running: next === null, next };
}

async function drop(list: TaskList, proposal: Proposal) {
  const { store } = list.project;
  store.commit(() => [{ type: 'proposal_settled', id: proposal.id, outcome: 'dropped', taskIds: [] }]);
  store.writeViews();
  const shown = shownPlan(proposal, worldOf(list, proposal));
  return success({ ...(await outcomeOf(list, shown, 'dropped')), asked: true, added: [] });
}

type Taken = {
  readonly ok: true;
  readonly added: readonly { readonly id: string; readonly title: string }[];
};

/** Writes the tasks into the list and accepts their checks, because you saw them. */
async function takePlan(list: TaskList, proposal: Proposal): Promise<Taken | Failure> {
  const { project } = list;
  const { store, tracker, stateHome, clock } = project;
  const world = worldOf(list, proposal);
  const { by, id, tasks } = proposal;
  if (by.kind === 'split' && world.replaces === null)
    return failure(`${by.taskId}, which ${id} splits, isn't in the list any more.`, `ralph plan drop ${id}`);
  if (openIterations(store.refresh()).some(({ taskId }) => taskId === world.replaces?.id))
    return failure(`An attempt at ${world.replaces?.id} is running: end it first.`, 'ralph workers');
  // The list may have changed since the proposal was drafted.
  const problems = checkPlan(tasks, world, { shown: false });
  if (problems.length > 0)
    return failure(`${id} can't go into the list: ${problems.join('; ')}.`, `ralph plan drop ${id}`);
  const plan = listPlanOf(tasks, world);
  const ids = await tracker.addPlan(plan);
  const expected = plan.tasks.map(({ checks = [] }, at) => [
    ids[at],
    checks.map((one) => `Check: ${one}`).join('; '),
  ]);
  const { pending } = await project.taskTrust();
  const isShown = (name: string, text: string) => expected.some(([a, b]) => a === name && b === text);
  acceptTasks(
    stateHome,
    pending.filter(({ name, text }) => isShown(name, text)),
    clock.now(),
  );
  store.commit(() => [{ type: 'proposal_settled', id, outcome: 'accepted', taskIds: [...ids] }]);
  store.writeViews();
  return { ok: true, added: plan.tasks.map(({ title }, at) => ({ id: ids[at] ?? '', title })) };
}

function worldOf({ project, tasks }: TaskList, { by }: Proposal) {
  const replaces = by.kind === 'split' ? (tasks.find(({ id }) => id === by.taskId) ?? null) : null;
  return planWorld(project, tasks, replaces);
}

function chooseProposal(
  all: readonly Proposal[],
  id: string | null,
  command: string,
): { readonly ok: true; readonly proposal: Proposal } | Failure {
  const [first] = all;
  if (first === undefined) return failure('No proposal waits.', 'ralph plan "WHAT YOU WANT"');
  const ids = all.map((one) => one.id);
  if (id === null && all.length > 1)
    return failure(
      `${counted(all.length, 'proposal')} wait: ${ids.join(', ')}. Which one?`,
      `${command} ${ids.at(-1)}`,
    );
  const proposal = id === null ? first : all.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (proposal === undefined)
    return failure(`There is no proposal ${id}.${didYouMean(id ?? '', ids)}`, 'ralph plan list');
  return { ok: true, proposal };
}
