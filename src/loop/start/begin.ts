import {
  attemptSeconds,
  begunBefore,
  knownCheckpoint,
  knownOf,
  promptFrom,
  readInputs,
  timeoutFor,
} from '../../decide/index.ts';
import type { Snapshot } from '../../domain/change-set.ts';
import { addCost, NO_COST } from '../../domain/policy.ts';
import { StoreError } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { type TaskState, workplaceStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';
import { isAway } from '../is-away.ts';
import { reservedOf } from '../policy-facts.ts';
import { type BudgetLedger, openLedger } from '../watch/budget-watch.ts';
import type { Chosen } from './chosen.ts';
import { factsAtStart } from './facts-at-start.ts';
import { standFor } from './stand.ts';

/** An iteration whose agent can be started; nothing of it is on record. */
export type Begun = {
  /** What is known of it by now. */
  readonly facts: ReturnType<typeof factsAtStart>;
  readonly timeout: ReturnType<typeof timeoutFor>;
  readonly before: Snapshot;
  readonly outlook: Chosen['outlook'];
  readonly takesOver: Chosen['takesOver'];
  /** The budget, while its agents work. */
  readonly ledger: BudgetLedger;
  readonly prompt: string;
  /** What the prompt was made from. */
  readonly inputs: ReturnType<typeof readInputs>;
  /** Absolute folder of the iteration, and the same relative to `.ralph/`. */
  readonly folder: string;
  readonly path: string;
};

type BeginOutcome =
  | { readonly ok: true; readonly begun: Begun }
  /** You have to fix something first. */
  | { readonly ok: false; readonly message: string };

/** Decides what the attempt starts from (timeout, limits, prompt), and makes its folder. */
export async function beginIteration(context: LoopContext, chosen: Chosen): Promise<BeginOutcome> {
  const { ports, config, run } = context;
  const { store } = ports;
  const { task, tasks, adapter, documents } = chosen;
  const folder = store.iterationFolder(run, store.refresh().counters.iteration + 1);
  const copy = await standFor(context, task.id, folder);
  if (!copy.ok) return copy;
  const { before } = copy;
  const state = store.refresh();
  const { taskState, profile } = knownOf(state, task.id, adapter.name);
  const settings = config.adaptive_timeout;
  const machine = isAway(context, taskState) ? '' : undefined;
  const timeout = timeoutFor({ task, taskState, profile, mode: context.mode, settings, machine });
  const inputs = readInputs({ ...context, readFile: ports.readFile });
  const start = factsAtStart(context, chosen, timeout, await begunWork(context, taskState, before));
  const prompt = promptFrom(inputs, { ...start, tasks, workflow: start.taskState.workflow });
  if (!prompt.ok) return prompt;

  const facts = {
    ...start,
    promptSha256: ports.ids.sha256(prompt.prompt),
    promptText: prompt.prompt,
    inputs: documents.inputs(inputs),
  };
  const path = folder.slice(`${context.root}/.ralph/`.length);
  store.writeDocument(`${path}/prompt.md`, prompt.prompt);
  const { outlook, takesOver } = chosen;
  const ledger = ledgerFor(context, chosen, facts.budget);
  return {
    ok: true,
    begun: {
      ...{ facts, timeout, before, outlook, takesOver, inputs, folder, path },
      prompt: prompt.prompt,
      ledger,
    },
  };
}

/** What earlier attempts left in the copy of which nothing was judged. */
async function begunWork(
  { ports: { work } }: LoopContext,
  taskState: TaskState,
  before: Snapshot,
): Promise<IterationFacts['begun']> {
  const known = begunBefore(taskState, null);
  const { series } = taskState;
  if (known === null || series === null || known.files.length === 0) return known;
  const { changes } = await work.git.diff({ ...before, tree: series.tree }, before);
  return begunBefore(taskState, changes);
}

/** The budget of an iteration, beside those of the others; of money and tokens as it is at each moment. */
function ledgerFor(
  { ports: { store, clock }, config, ledgers }: LoopContext,
  { task, choice: { policy } }: Chosen,
  { limits }: IterationFacts['budget'],
): BudgetLedger {
  const before = () => {
    const { usd, tokens } = addCost(store.state.policy.budget.spent, ledgers.others(task.id));
    return { ...policy.spent, usd, tokens };
  };
  const ledger = openLedger({ limits, before }, config.budget.prices, clock);
  ledgers.add(task.id, policy.next?.taskId === task.id ? reservedOf(policy.next.mean) : NO_COST, ledger);
  return ledger;
}

/**
 * Records the start: from here on a killed loop leaves an iteration that the next run finds interrupted.
 *
 * @throws StoreError where that can't be written.
 */
export function recordStart(
  { ports: { store }, config }: LoopContext,
  { facts, timeout, before, outlook, takesOver }: Begun,
): Pick<IterationFacts, 'checkpoints'> {
  const { run, iteration, worker, worktree, agent, mode, startedAt, task, taskState, timeoutSeconds } = facts;
  const taskId = task.id;
  const allowed = attemptSeconds(timeout.seconds, facts.limits);
  const state = store.commit((now) => {
    if (now.counters.iteration + 1 !== iteration)
      throw new StoreError(`Iteration ${iteration} was recorded by another process.`);
    const place = { run, iteration, taskId, at: startedAt, before };
    return [
      {
        type: 'iteration_started',
        ...{ run, iteration, worker, worktree, taskId, agent, mode, startedAt, timeoutSeconds },
        ...{ title: task.title, attempt: facts.attempt, maxAttempts: config.loop.max_attempts_per_task },
        limitSeconds: allowed,
        timeoutReason: allowed < timeout.seconds ? `limited; else ${timeout.reason}` : timeout.reason,
        ...outlook,
        ...(takesOver === null ? {} : { takesOver }),
        checkpoint: knownCheckpoint({ ...place, state: now, taskState }),
        head: before.head,
        branch: before.branch,
      },
    ];
  });
  if (timeout.warning !== null) store.commit([{ type: 'warned', message: timeout.warning }]);
  return { checkpoints: workplaceStateOf(state, facts).checkpoints };
}
