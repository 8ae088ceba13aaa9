import type { AgentAdapter } from 'ralph-agents/protocol';
import { commitText } from 'ralph-kit/commit-text';
import { firstFew } from 'ralph-kit/text';
import { correctionFor } from '../../decide/index.ts';
import { READ_PATCH_BYTES } from '../../domain/change-set.ts';
import type { RanFacts } from '../../domain/fleet.ts';
import type { ChangedOutside, CopyCommit, KeptElsewhere } from '../../domain/ports.ts';
import type { IterationFacts, Tampering } from '../../domain/records/iteration.ts';
import type { LoopContext } from '../context.ts';
import type { BudgetLedger } from '../watch/budget-watch.ts';
import type { PlannedReview } from '../watch/review-session.ts';
import { runAgent } from './run-agent.ts';

export type Ran = {
  readonly facts: RanFacts;
  readonly commits: readonly CopyCommit[];
  /** Git repositories in the work whose git folders are on another machine. */
  readonly repositories: readonly KeptElsewhere[];
  /** End of the agent, ISO 8601 UTC. */
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
  readonly promptFile: string;
  /** Absolute path of the iteration's folder. `path` is relative to `.ralph/`. */
  readonly folder: string;
  readonly path: string;
};

export async function runHere(
  context: LoopContext,
  { adapter, review: planned, facts, ledger, prompt, promptFile, folder, path }: Attempt,
): Promise<Ran> {
  const { ports } = context;
  const outside = await ports.watchOutside();
  const { ended, report, sessionUsage, review, guidance, observed, resources, closeLog } = await runAgent(
    context,
    {
      ...facts,
      adapter,
      review: planned,
      prompt,
      promptFile,
      ledger,
      folder,
      path,
      copy: ports.work.mounted,
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
      review,
      observed,
      resources,
      tampering,
    },
    commits: await ports.work.commits(READ_PATCH_BYTES),
    repositories: [],
    agentEnded,
  };
}

const SHOWN = 5;

/**
 * Files outside of the copy that the agent's actions wrote count as tampering. Other changes may be yours or those of a tool that commits its
 * list, so they are only named, with the commits that came. A box prevents both.
 */
function changedOutside(
  { ports: { store } }: LoopContext,
  { files, git, commits }: ChangedOutside,
  writes: readonly string[] | null,
): Tampering[] {
  const names = [...git, ...files.map(({ path }) => path)];
  const changed = firstFew(names, SHOWN);
  const came = `${commits.length === 1 ? 'Commit' : 'Commits'} ${commits.map(commitText).join(', ')}`;
  const message =
    commits.length === 0
      ? `${changed} changed while the agent worked, outside of its copy.`
      : `${came} came while the agent worked. Changed outside of its copy: ${changed}.`;
  if (names.length > 0) store.commit([{ type: 'warned', message }]);
  return files.filter(({ path }) => writes?.includes(path) === true);
}
