import { counted } from 'ralph-kit/counted';
import { fenced } from 'ralph-kit/markdown';
import { onOneLine, shortened } from 'ralph-kit/text';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import {
  checkPlan,
  configuredLimits,
  limitsOf,
  listPlanOf,
  type PlanWorld,
  problemsText,
  readInputs,
  readPlan,
} from '../../decide/index.ts';
import type { PlannedTask } from '../../domain/plan.ts';
import { StoreError } from '../../domain/ports.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import { EMPTY_TASK_STATE } from '../../domain/records/state.ts';
import type { Spend } from '../../domain/spend.ts';
import { spendOf } from '../../domain/spend-of.ts';
import type { Task } from '../../domain/task.ts';
import type { AnswerRead } from '../../domain/workflow/answer-block.ts';
import type { RoleTurn } from '../../domain/workflow/roles.ts';
import { type PlanSubject, planPrompt } from '../../prompt/index.ts';
import { plannerPrompt } from '../../respond/roles/index.ts';
import { RESUME } from '../../tell/index.ts';
import { budgetOf } from '../budget-of.ts';
import type { LoopContext, RoleAgent } from '../context.ts';
import { budgetLimits } from '../policy-facts.ts';
import { type RoleBasis, runRole } from '../roles/run-role.ts';
import { openLedger } from '../watch/budget-watch.ts';
import { reviewPlans } from '../watch/plan-review.ts';

const REPAIRS = 2;
/** Characters of the idea in the name of the agent's session. */
const TITLE = 80;

export type Drafted = {
  /** Valid tasks; `null`: the agent wrote no valid plan. */
  readonly tasks: readonly PlannedTask[] | null;
  /** Why there is no plan; '' if there is one. */
  readonly problem: string;
  readonly agent: string;
  readonly spend: readonly Spend[];
};

export type PlanRequest = { readonly subject: PlanSubject; readonly world: PlanWorld };

export async function draftPlan(context: LoopContext, { subject, world }: PlanRequest): Promise<Drafted> {
  const { ports, config } = context;
  const [explorer, creator] = [plannerFor(context, 'explorer'), plannerFor(context, 'creator')];
  const agent = creator.adapter.name;
  const failed = (problem: string, spend: readonly Spend[] = []): Drafted => ({
    tasks: null,
    problem,
    agent,
    spend,
  });
  const reviews = reviewPlans(context.review, ports.store);
  for (const { adapter } of [explorer, creator]) {
    const planned = reviews.next(adapter, false);
    if (!planned.ok) return failed(planned.message);
  }
  const task = taskOf(subject);
  const basis = basisOf(context, task, world);
  const spent = basis.ledger.spentBecause();
  if (spent !== null) return failed(`${spent}. A new budget: ${RESUME}`);
  const { tree } = await ports.git.snapshot();
  const common = { replaced: false, adversarial: false, phase: 'plan', tree } as const;
  const chosen = { reviewOf: reviews.planFor };
  const labels = [`explorer (${explorer.adapter.name})`, `creator (${agent})`];
  ports.store.commit([{ type: 'roles_started', phase: 'plan', roles: labels }]);
  const facts = { task, taskState: EMPTY_TASK_STATE };
  const inputs = readInputs({ ...context, readFile: ports.readFile, notesRead: [] });
  const looked = await runRole(context, chosen, basis, {
    ...common,
    number: 1,
    role: 'explorer',
    agent: explorer,
    read: null,
    prompt: () => plannerPrompt({ facts, inputs }, 'explorer', []),
  });
  const [seen] = looked.turns;
  const exploration = seen?.trouble === null ? seen.text : '';
  const asked = { ...world, limits: limitsOf(world), exploration };
  const wrote = ports.stop.polite.aborted
    ? null
    : await runRole(context, chosen, basis, {
        ...common,
        number: 2,
        role: 'creator',
        agent: creator,
        repairs: REPAIRS,
        read: (turn) => readChecked(context, turn, world),
        prompt: (nonce) => planPrompt(subject, { ...asked, nonce: nonce ?? '' }),
      });
  const turns = [...looked.turns, ...(wrote?.turns ?? [])];
  const spend = turns.flatMap(({ usage }) => spendOf(usage, config.budget.prices));
  const last = wrote?.turns.at(-1);
  if (last === undefined || ports.stop.polite.aborted) return failed('ralph was stopped', spend);
  const read = last.trouble === null ? await readChecked(context, last, world) : null;
  const outcome = read?.ok === true ? counted(read.answer.length, 'task') : 'failed';
  ports.store.commit([{ type: 'roles_finished', role: null, results: [{ role: 'creator', outcome }] }]);
  if (read?.ok === true) return { tasks: read.answer, problem: '', agent, spend };
  return failed(onOneLine(read?.problem ?? last.trouble ?? ''), spend);
}

/** Reads and checks a plan. A trial write shows what the task list can't hold, without changing it. */
async function readChecked(
  { ports: { tracker } }: LoopContext,
  { text, nonce }: RoleTurn,
  world: PlanWorld,
): Promise<AnswerRead<readonly PlannedTask[]>> {
  const read = readPlan(text, nonce);
  if (!read.ok) return read;
  const problems = checkPlan(read.answer, world, { shown: true });
  if (problems.length > 0) return { ok: false, problem: problemsText(problems) };
  try {
    await tracker.addPlan(listPlanOf(read.answer, world), 'try');
    return read;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ok: false, problem: error.message };
  }
}

function plannerFor({ workflow, adapters }: LoopContext, role: 'explorer' | 'creator'): RoleAgent {
  return workflow?.agents.get(role)?.first ?? { adapter: adapters[0], model: null };
}

function taskOf(subject: PlanSubject): Task {
  if (subject.kind === 'task') return subject.task;
  const title = shortened(onOneLine(subject.idea.trim().split('\n')[0] ?? ''), TITLE);
  return { ...EMPTY_TASK, id: 'plan', title, description: fenced(subject.idea, 'text') };
}

function basisOf(context: LoopContext, task: Task, world: PlanWorld): RoleBasis {
  const { ports, config, run } = context;
  const { store, clock } = ports;
  const folder = store.iterationFolder(run, 0);
  const limits = budgetLimits(config);
  const before = () => store.state.policy.budget.spent;
  const agent = context.adapters[0].name;
  return {
    folder,
    path: iterationPath({ run, iteration: 0 }),
    ledger: openLedger({ limits, before }, config.budget.prices, clock),
    facts: {
      task,
      taskState: EMPTY_TASK_STATE,
      iteration: 0,
      attempt: 1,
      resumed: null,
      timeoutSeconds: limitsOf(world).at(-1)?.seconds ?? 0,
      limits: configuredLimits(config),
      budget: budgetOf(context, { agent, role: 'creator' }, { limits, spent: before() }),
    },
  };
}
