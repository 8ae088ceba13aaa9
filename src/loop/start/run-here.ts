import { correctionFor } from '../../decide/index.ts';
import type { AgentAdapter } from '../../domain/agent.ts';
import { READ_PATCH_BYTES } from '../../domain/change-set.ts';
import type { RanFacts } from '../../domain/fleet.ts';
import type { ChangedOutside, CopyCommit, KeptElsewhere } from '../../domain/ports.ts';
import type { IterationFacts, Tampering } from '../../domain/records/iteration.ts';
import type { LoopContext } from '../context.ts';
import type { BudgetLedger } from '../watch/budget-watch.ts';
import type { PlannedReview } from '../watch/review-session.ts';
import { runAgent } from './run-agent.ts';

/** What running the agent of an attempt gave, beside what the copy holds. */
export type Ran = {
  readonly facts: RanFacts;
  /** What it committed in its copy since the base of that. */
  readonly commits: readonly CopyCommit[];
  /** Repositories in the work, of which another machine keeps the git folders. */
  readonly repositories: readonly KeptElsewhere[];
  /** ISO 8601 UTC. */
  readonly agentEnded: string;
};

type Attempt = {
  readonly adapter: AgentAdapter;
  readonly review: PlannedReview;
  readonly facts: Pick<
    IterationFacts,
    | 'task'
    | 'taskState'
    | 'iteration'
    | 'attempt'
    | 'timeoutSeconds'
    | 'limits'
    | 'resumed'
    | 'budget'
    | 'settings'
  >;
  readonly ledger: BudgetLedger;
  readonly prompt: string;
  /** Absolute folder of the iteration, and the same relative to `.ralph/`. */
  readonly folder: string;
  readonly path: string;
};

/** Runs the agent of an attempt on this machine, in the copy as it stands. */
export async function runHere(
  context: LoopContext,
  { adapter, review: planned, facts, ledger, prompt, folder, path }: Attempt,
): Promise<Ran> {
  const { ports } = context;
  const outside = await ports.watchOutside();
  const { ended, report, sessionUsage, review, guidance, observed, resources, closeLog } = await runAgent(
    context,
    {
      ...{ ...facts, adapter, review: planned, prompt, ledger },
      ...{ folder, path, copy: ports.work.shown },
      correction: (issue) => correctionFor(issue, facts),
    },
  );
  const agentEnded = ports.clock.now();
  closeLog();
  const tampering = changedOutside(context, await outside(), observed.writes);
  return {
    facts: {
      end: ended.end,
      durationMs: Math.round(ended.durationMs),
      report,
      sessionUsage: [...sessionUsage],
      errorTail: ended.errorTail,
      guidance: [...guidance],
      ...{ review, observed, resources, tampering },
    },
    commits: await ports.work.commits(READ_PATCH_BYTES),
    repositories: [],
    agentEnded,
  };
}

/** Things that are named on screen; all are in the record. */
const SHOWN = 5;

/**
 * Without a box: what changed of the checkout's instructions and settings, and of what git keeps, while the agent worked. What one of its actions
 * wrote is its tampering; the rest may be yours, and is named.
 */
function changedOutside(
  { ports: { store } }: LoopContext,
  { files, git }: ChangedOutside,
  writes: readonly string[] | null,
): Tampering[] {
  for (const name of [...git, ...files.map(({ path }) => path)].slice(0, SHOWN))
    store.commit([
      { type: 'warned', message: `${name} changed while the agent worked, outside of its copy.` },
    ]);
  return files.filter(({ path }) => writes?.includes(path) === true);
}
