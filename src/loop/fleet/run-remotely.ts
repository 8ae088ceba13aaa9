import { type InfrastructureCause, isLimit } from 'ralph-agents/event';
import type { LostAttempt, RecordFiles } from 'ralph-fleet/jobs';
import { own } from 'ralph-kit/own';
import { parseJson } from 'ralph-kit/parse-json';
import { agentAvailability, costOfLost, limitedAccounts, timeoutsElsewhere } from '../../decide/index.ts';
import { FleetJob, FleetResult, type RanFacts, type RemoteWorkers } from '../../domain/fleet.ts';
import { GitError, type WorkBase } from '../../domain/ports.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import { releaseCommand } from '../../domain/work-place.ts';
import type { LoopContext } from '../context.ts';
import type { StartedIteration } from '../start/begin.ts';
import { NO_AGENT_RAN } from '../start/no-agent-ran.ts';
import type { Ran } from '../start/run-here.ts';

export const RECORD_FILES = ['output.log', 'errors.log', 'reviews.jsonl'] as const;

/** Returns the name of a submodule commit's file in the record. The content is Base64. */
export const packName = (commit: string) => `submodule-${commit}.pack`;

/** Lets a worker run the agent, and applies the delivered work to this machine's copy, in which it is judged. */
export async function runRemotely(
  context: LoopContext,
  away: RemoteWorkers,
  started: StartedIteration,
): Promise<Ran> {
  const { ports } = context;
  const { work, clock, store, stop } = ports;
  const base = work.base();
  if (base === null) throw new GitError('The copy has no state that its work could begin from.');
  try {
    const delivered = await settled(context, away, started, base);
    const agentEnded = clock.now();
    const isCancelled = delivered.kind === 'none' ? delivered.why === 'cancelled' : delivered.isCancelled;
    if (isCancelled) holdBack(context, started.facts.task.id);
    if (delivered.kind === 'none') {
      const limit = delivered.why === 'limited' ? limitOf(context, started.facts.agent) : null;
      if (limit !== null) {
        const report = { ...NO_WORKER_RAN.report, infrastructure: limit };
        return { facts: { ...NO_WORKER_RAN, report }, ...AGENTLESS, agentEnded };
      }
      const signal = stop.reason() ?? `ralph fleet: ${delivered.why}`;
      return {
        facts: { ...NO_WORKER_RAN, end: { kind: 'interrupted', signal, forced: false } },
        ...AGENTLESS,
        agentEnded,
      };
    }
    const { files, tree, result } = delivered;
    for (const name of RECORD_FILES) {
      const text = files[name];
      if (text !== undefined) store.writeDocument(`${started.path}/${name}`, text);
    }
    await takeCommits(context, started, files, result);
    await work.reset(base, tree);
    if (isLimit(result.facts.report.infrastructure?.kind)) away.met(started.facts.agent);
    const { facts, commits, repositories } = result;
    return { facts, commits, repositories, agentEnded };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const end = { kind: 'spawn_failed', code: 'FLEET', message: error.message } as const;
    return { facts: { ...NO_WORKER_RAN, end }, ...AGENTLESS, agentEnded: clock.now() };
  }
}

/**
 * Fetches commits to which the work moves submodules: gates need them in the copy, and commits that can't land are
 * kept.
 */
async function takeCommits(
  { ports: { work, store } }: LoopContext,
  { facts: { task } }: StartedIteration,
  files: RecordFiles,
  { submodules, host }: FleetResult,
): Promise<void> {
  for (const { path, commit, known } of submodules) {
    const text = files[packName(commit)];
    const pack = text === undefined ? null : Buffer.from(text, 'base64');
    if (pack !== null && (await work.takeSubmoduleCommit({ path, commit, known, pack }))) continue;
    const why = pack === null ? 'is too large to be sent' : `is based on ${known}, which isn't here`;
    const message = `${task.id}: commit ${commit} of the submodule ${path} ${why}, so ${host} alone has it.`;
    store.commit([{ type: 'warned', message }]);
  }
}

/**
 * Returns the work of a delivery. One that was offered before a run was cut off is used if its changes apply; otherwise
 * the attempt is made again.
 */
async function settled(context: LoopContext, away: RemoteWorkers, started: StartedIteration, base: WorkBase) {
  const { git, work, store } = context.ports;
  const { task, taskState } = started.facts;
  const delivered = await delivery(context, away, started, base, taskState.cutOff);
  chargeLost(context, started, delivered.lost);
  if (delivered.kind === 'none' || delivered.earlier === null) return delivered;
  const { iteration, claim, baseTree, startTree } = delivered.earlier;
  // Without the task's earlier work on this machine, the delivery's changes count from the base; with it, from the tree
  // with that work.
  const from = await work.keyOf(taskState.series === null ? baseTree : startTree);
  const patch = await git.wholePatch(from, await work.keyOf(delivered.tree));
  const tree = await git.applyToTree(started.before.tree, patch);
  if (tree !== null) {
    store.commit([
      {
        type: 'warned',
        message: `${task.id}: what a worker delivered of iteration ${iteration} is taken.`,
      },
    ]);
    return { ...delivered, tree };
  }
  const message = `${task.id}: what a worker delivered of iteration ${iteration} conflicts with what landed since, so it is done again.`;
  store.commit([{ type: 'warned', message }]);
  chargeLost(context, started, [{ claim, document: delivered.document }]);
  const again = await delivery(context, away, started, base, []);
  chargeLost(context, started, again.lost);
  return again;
}

/** Returns the limit of an account that another attempt reached; `null`: the limit has ended. */
function limitOf({ ports: { store } }: LoopContext, agent: string): InfrastructureCause | null {
  const known = own(store.state.profiles, agent)?.unavailable ?? null;
  return known === null ? null : { kind: 'rate_limited', message: known.message, resetsAt: known.until };
}

export async function reportLimits({ ports, adapters, remoteWorkers }: LoopContext): Promise<void> {
  if (remoteWorkers === null) return;
  const names = adapters.map(({ name }) => name);
  await remoteWorkers.limits(limitedAccounts(agentAvailability(ports.store.state, names), ports.clock.now()));
}

/** Holds the task back: otherwise the cancelled attempt would be made again at once. */
function holdBack({ ports: { store } }: LoopContext, taskId: string): void {
  store.commit(() => [{ type: 'queue_changed', taskIds: [taskId], change: 'held' }]);
  store.commit([
    { type: 'warned', message: `You cancelled ${taskId}, so it is held back: ${releaseCommand(taskId)}` },
  ]);
}

/** Facts without a machine, because no worker made the attempt. */
const NO_WORKER_RAN: RanFacts = { ...NO_AGENT_RAN, machine: '' };
const AGENTLESS = { commits: [], repositories: [] };

/** Reads a delivered result. @throws GitError if it can't be read. */
async function delivery(
  { ports, config, run, ledgers }: LoopContext,
  away: RemoteWorkers,
  started: StartedIteration,
  { commit: base, branch }: WorkBase,
  cutOff: readonly number[],
) {
  const { facts, before } = started;
  const { task, iteration, agent } = facts;
  const { taskState, profile, adaptiveTimeout: settings } = facts;
  const mode = { name: facts.mode, timeoutSeconds: facts.modeTimeoutSeconds };
  const timeouts = timeoutsElsewhere({ task, taskState, profile, mode, settings });
  const document = () =>
    JSON.stringify(
      FleetJob.parse({
        $schema: 'ralph.fleet-job.v1',
        version: ports.process.version,
        decider: DECIDER_VERSION,
        run,
        agent,
        branch,
        ...away.terms(),
        timeouts,
        facts: { ...facts, promptText: started.prompt },
      }),
    );
  const ended = await away.attempt({
    taskId: task.id,
    iteration,
    agent,
    base,
    startTree: before.tree,
    stop: ports.stop,
    document,
    graceMs: config.loop.grace * 1000,
    cutOff,
    goal: goalText(task),
    onLost: (count) => ledgers.lose(task.id, count),
  });
  if (ended.kind === 'none') return ended;
  if (ended.kind === 'unknown')
    throw new GitError(`A machine that isn't enrolled made ${task.id}: ralph fleet enrol ${ended.key}`);
  const result = parseJson(ended.document, FleetResult);
  if (result === null) throw new GitError(`What a worker says of ${task.id} can't be read.`);
  return { ...ended, result };
}

/** Charges lost attempts to the budget. Without a worker's record, the cost is estimated. */
function chargeLost(
  { ports: { store }, config, ledgers, run }: LoopContext,
  { facts: { task, iteration } }: StartedIteration,
  lost: readonly LostAttempt[],
): void {
  if (lost.length === 0) return;
  const [taskId, reserved] = [task.id, ledgers.reserved(task.id)];
  store.commit(({ policy }) =>
    lost.map(({ claim, document }) => {
      const usage = parseJson(document, FleetResult)?.facts.report.usage ?? null;
      const cost = costOfLost({ usage, reserved, prices: config.budget.prices, policy });
      return { type: 'attempt_lost', run, iteration, taskId, claim, cost, shown: usage !== null };
    }),
  );
  ledgers.lose(taskId, 0);
}
