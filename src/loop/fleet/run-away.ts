import type { Away } from '../../domain/fleet.ts';
import { FleetJob, FleetResult } from '../../domain/fleet.ts';
import { GitError, type WorkBase } from '../../domain/ports.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { tryOr } from '../../lib/try-or.ts';
import type { LoopContext } from '../context.ts';
import type { Begun } from '../start/begin.ts';
import { NO_AGENT_RAN } from '../start/no-agent-ran.ts';
import type { Ran } from '../start/run-here.ts';

/** What a worker keeps of an attempt, beside its result. */
export const RECORD_FILES = ['output.log', 'errors.log', 'reviews.jsonl'] as const;

/** Whether an attempt is made by a worker of the fleet. Where each action waits for you, or is restricted, it is made where you are. */
export function isAway<C extends LoopContext>(
  context: C,
  { facts: { taskState } }: Begun,
): context is C & { readonly away: Away } {
  return context.away !== null && taskState.restriction === null && taskState.decisions.manual === null;
}

/**
 * Has a worker run the agent of an attempt, and brings the copy here to what that left. What the work is worth is found out here, as of an
 * agent that ran here.
 */
export async function runAway(context: LoopContext, away: Away, begun: Begun): Promise<Ran> {
  const { ports } = context;
  const { work, clock, store, stop } = ports;
  const base = work.base();
  if (base === null) throw new GitError('The copy stands on nothing.');
  try {
    const delivered = await delivery(context, away, begun, base);
    const agentEnded = clock.now();
    const isCancelled = delivered.kind === 'none' ? delivered.why === 'cancelled' : delivered.isCancelled;
    if (isCancelled) holdBack(context, begun.facts.task.id);
    if (delivered.kind === 'none') {
      const signal = stop.reason() ?? `ralph fleet: ${delivered.why}`;
      return {
        facts: { ...NO_AGENT_RAN, end: { kind: 'interrupted', signal, forced: false } },
        ...AGENTLESS,
        agentEnded,
      };
    }
    const { files, tree, result } = delivered;
    for (const name of RECORD_FILES) {
      const text = files[name];
      if (text !== undefined) store.writeDocument(`${begun.path}/${name}`, text);
    }
    await work.reset(base, tree);
    if (result.facts.report.infrastructure?.kind === 'rate_limited') await away.limited(begun.facts.agent);
    return { facts: result.facts, commits: result.commits, agentEnded };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const end = { kind: 'spawn_failed', code: 'FLEET', message: error.message } as const;
    return { facts: { ...NO_AGENT_RAN, end }, ...AGENTLESS, agentEnded: clock.now() };
  }
}

/** An attempt that you cancelled isn't made again at once. */
function holdBack({ ports: { store, emit } }: LoopContext, taskId: string): void {
  store.commit(() => [{ type: 'task_held', taskId, held: true }]);
  const release = `ralph queue hold ${shellQuote(taskId)} --off`;
  emit({ kind: 'warning', message: `You cancelled ${taskId}, so it is held back: ${release}` });
}

const AGENTLESS = { commits: [] };

/** @throws GitError where what was delivered isn't whole. */
async function delivery(
  { ports, config, run }: LoopContext,
  away: Away,
  begun: Begun,
  { commit: base, branch }: WorkBase,
) {
  const { facts, before } = begun;
  const { task, iteration, agent } = facts;
  const job = {
    $schema: 'ralph.fleet-job.v1',
    ...{ version: ports.process.version, decider: DECIDER_VERSION, run, agent, branch },
    ...away.terms(),
    facts: { ...facts, promptText: begun.prompt },
  } as const;
  const ended = await away.attempt({
    ...{ taskId: task.id, iteration, agent, base, before: before.tree, stop: ports.stop },
    document: JSON.stringify(FleetJob.parse(job)),
    graceMs: config.loop.grace * 1000,
  });
  if (ended.kind === 'none') return ended;
  const read = FleetResult.safeParse(tryOr<unknown, unknown>(null, () => JSON.parse(ended.document)));
  if (!read.success) throw new GitError(`What a worker says of ${task.id} can't be read.`);
  return { ...ended, result: read.data };
}
