import { notesRead } from 'ralph-agents';
import {
  attemptSeconds,
  knownCheckpoint,
  type PromptFacts,
  promptFrom,
  readInputs,
  stateFor,
  timeoutFor,
  unjudgedWork,
} from '../../decide/index.ts';
import type { Snapshot } from '../../domain/change-set.ts';
import { addCost, NO_COST } from '../../domain/policy.ts';
import { type Store, StoreError } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import { type TaskState, workplaceStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';
import { isRemote } from '../is-remote.ts';
import { reservedOf } from '../policy-facts.ts';
import { type BudgetLedger, openLedger } from '../watch/budget-watch.ts';
import type { Chosen } from './chosen.ts';
import { factsAtStart } from './facts-at-start.ts';
import { prepareCopy } from './prepare-copy.ts';

/** An iteration that isn't recorded yet. */
export type StartedIteration = {
  readonly facts: ReturnType<typeof factsAtStart>;
  readonly timeout: ReturnType<typeof timeoutFor>;
  readonly before: Snapshot;
  readonly outlook: Chosen['outlook'];
  readonly takesOver: Chosen['takesOver'];
  readonly ledger: BudgetLedger;
  readonly prompt: string;
  /** Prompt with your original words. Recorded prompts have no secrets. */
  readonly wholePrompt: string;
  readonly inputs: ReturnType<typeof readInputs>;
  /** Absolute path of the iteration's folder. `path` is relative to `.ralph/`. */
  readonly folder: string;
  readonly path: string;
};

type BeginOutcome =
  | { readonly ok: true; readonly started: StartedIteration }
  | { readonly ok: false; readonly message: string };

export function promptsFrom(
  { wholeWords }: Pick<Store, 'wholeWords'>,
  inputs: StartedIteration['inputs'],
  facts: PromptFacts,
) {
  const kept = promptFrom(inputs, facts);
  if (!kept.ok) return kept;
  const feedback = wholeWords(facts.feedback);
  const whole = feedback === facts.feedback ? kept : promptFrom(inputs, { ...facts, feedback });
  return { ...kept, wholePrompt: whole.ok ? whole.prompt : kept.prompt };
}

export async function beginIteration(context: LoopContext, chosen: Chosen): Promise<BeginOutcome> {
  const { ports, config, run } = context;
  const { store } = ports;
  const { task, tasks, adapter, documents } = chosen;
  const place = { run, iteration: store.refresh().counters.iteration + 1 };
  const folder = store.iterationFolder(run, place.iteration);
  const copy = await prepareCopy(context, task.id, folder);
  if (!copy.ok) return copy;
  const { before } = copy;
  const state = store.refresh();
  const { taskState, profile } = stateFor(state, task.id, adapter.name);
  const settings = config.adaptive_timeout;
  const machine = isRemote(context, taskState) ? '' : undefined;
  const timeout = timeoutFor({ task, taskState, profile, mode: context.mode, settings, machine });
  const { notes } = adapter;
  const found = await ports.work.git.fileFacts(before, notes?.files ?? []);
  const existing = new Set(found.filter(({ exists }) => exists).map(({ path }) => path));
  const inputs = readInputs({
    ...context,
    readFile: ports.readFile,
    // Uncommitted notes don't count, because the agent's copy doesn't have them.
    notesRead: notesRead(adapter, context.review !== null, (path) => existing.has(path)),
  });
  const start = factsAtStart(context, chosen, timeout, await begunWork(context, taskState, before));
  const prompt = promptsFrom(store, inputs, { ...start, tasks, workflow: start.taskState.workflow });
  if (!prompt.ok) return prompt;

  const facts = {
    ...start,
    promptSha256: ports.ids.sha256(prompt.prompt),
    promptText: prompt.prompt,
    inputs: documents.inputs(inputs),
  };
  const path = iterationPath(place);
  store.writeDocument(`${path}/prompt.md`, prompt.prompt);
  const { outlook, takesOver } = chosen;
  const ledger = ledgerFor(context, chosen, facts.budget);
  return {
    ok: true,
    started: {
      facts,
      timeout,
      before,
      outlook,
      takesOver,
      inputs,
      folder,
      path,
      prompt: prompt.prompt,
      wholePrompt: prompt.wholePrompt,
      ledger,
    },
  };
}

async function begunWork(
  { ports: { work } }: LoopContext,
  taskState: TaskState,
  before: Snapshot,
): Promise<IterationFacts['begun']> {
  const known = unjudgedWork(taskState, null);
  const { series } = taskState;
  if (known === null || series === null || known.files.length === 0) return known;
  const { changes } = await work.git.diff({ ...before, tree: series.tree }, before);
  return unjudgedWork(taskState, changes);
}

/**
 * Opens the budget of an iteration. Other iterations run at the same time, so money and tokens are read again each
 * time.
 */
function ledgerFor(
  { ports: { store, clock }, config, ledgers }: LoopContext,
  { task, choice: { policy } }: Chosen,
  { limits }: IterationFacts['budget'],
): BudgetLedger {
  const before = () => {
    const { usd, tokens } = addCost(store.state.policy.budget.spent, ledgers.costOfOthers(task.id));
    return { ...policy.spent, usd, tokens };
  };
  const ledger = openLedger({ limits, before }, config.budget.prices, clock);
  ledgers.add(task.id, policy.next?.taskId === task.id ? reservedOf(policy.next.mean) : NO_COST, ledger);
  return ledger;
}

/**
 * Records the start. If the loop is killed after this, the next run finds the iteration interrupted.
 * @throws StoreError if the record can't be written, or another process recorded the iteration
 */
export function recordStart(
  { ports: { store }, config }: LoopContext,
  { facts, timeout, before, outlook, takesOver }: StartedIteration,
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
        run,
        iteration,
        worker,
        worktree,
        taskId,
        agent,
        mode,
        startedAt,
        timeoutSeconds,
        title: task.title,
        attempt: facts.attempt,
        maxAttempts: config.loop.max_attempts_per_task,
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
