import { claimOf, correctionFor, isSeenWhole } from '../../decide/index.ts';
import {
  type ChangeSet,
  type IdleChange,
  pathsOf,
  READ_PATCH_BYTES,
  type Snapshot,
} from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { Protected, RefsNow } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/outputs.ts';
import { orderFiles } from '../../domain/workflow/order-files.ts';
import { canHaveWritten, idleChanges } from '../../findings/index.ts';
import type { LoopContext } from '../context.ts';
import { lookAtGates } from '../look-at-gates.ts';
import { type Begun, recordStart } from './begin.ts';
import type { Chosen } from './chosen.ts';
import {
  lostInGit,
  putBackWork,
  rememberToolOutputs,
  type Uncommitted,
  uncommittedAt,
} from './put-back-work.ts';
import { factsOfRestored, type Guarded, restoreAfter } from './restore-after.ts';
import { runAgent } from './run-agent.ts';
import { watchEdits } from './take-over.ts';

/** Iterations between two prunings of checkpoints: some more than are kept do no harm. */
const PRUNE_EVERY = 10;

/** What the agent did, and what its attempt left behind. */
export type Attempted = {
  readonly facts: Pick<
    IterationFacts,
    | 'checkpoints'
    | 'yoursBefore'
    | 'end'
    | 'durationMs'
    | 'report'
    | 'sessionUsage'
    | 'errorTail'
    | 'guidance'
    | 'review'
    | 'observed'
    | 'resources'
    | 'tampering'
    | 'restored'
    | 'lostWork'
    | 'changes'
    | 'idleChanges'
    | 'gateSources'
  >;
  /** What the agent says of it. */
  readonly claim: Claim;
  /** The diff, up to `READ_PATCH_BYTES`. */
  readonly patch: string;
  /** ISO 8601 UTC. */
  readonly agentEnded: string;
  readonly guarded: Guarded;
  /** Where the repository stood before the agent ran. */
  readonly refsBefore: RefsNow;
  /** Your work that gates may not undo either. */
  readonly yours: Uncommitted;
};

/** Runs the agent. What it did to files that are not its own is restored before anything is compared. */
export async function attemptTask(
  context: LoopContext,
  chosen: Chosen,
  begun: Begun,
  prepare: Prepare,
): Promise<Attempted> {
  const { ports } = context;
  const { clock, emit } = ports;
  const { adapter } = chosen;
  const { facts, before } = begun;
  const { recorded, protection, gatesBefore, refsBefore, stagedBefore } = await prepare();
  await keepBefore(context, facts.iteration, before, protection);
  const { ended, report, sessionUsage, review, guidance, observed, resources, closeLog } = await runAgent(
    context,
    {
      ...{ ...facts, adapter, review: chosen.review, prompt: begun.prompt, ledger: begun.ledger },
      ...{ folder: begun.folder, path: begun.path },
      correction: (issue) => correctionFor(issue, facts),
    },
  );
  const agentEnded = clock.now();
  const guarded = { protection, edits: watchEdits(context, facts.iteration, chosen.tracker) };
  const restored = await restoreAfter(context, guarded, 'agent');
  const complete = isSeenWhole({ agent: adapter.name, review });
  closeLog();
  restoreDocuments(context, chosen, begun);
  const seen = { writes: observed.writes, complete };
  const { changes, patch, yours, lost } = await leftByAgent(context, chosen, begun, { seen, stagedBefore });
  const claim = claimOf({ ...facts, report });
  emit({ kind: 'agent_finished', durationMs: ended.durationMs, filesChanged: changes.changes.length });
  return {
    facts: {
      ...recorded,
      end: ended.end,
      durationMs: Math.round(ended.durationMs),
      report,
      sessionUsage: [...sessionUsage],
      errorTail: ended.errorTail,
      guidance: [...guidance],
      review,
      observed,
      resources,
      ...factsOfRestored(restored, seen, ports.proc.isBoxed),
      lostWork: [...lost, ...lostInGit(restored, 'agent')],
      changes,
      idleChanges: await idleIn(context, changes, patch),
      gateSources: [gatesBefore, lookAtGates(context)],
    },
    ...{ claim, patch },
    agentEnded,
    guarded,
    refsBefore,
    yours,
  };
}

type Before = {
  readonly seen: Parameters<typeof canHaveWritten>[1];
  readonly stagedBefore: Uncommitted['staged'];
};

/** What the agent changed, once what it undid of your uncommitted work is back; what it can't have changed is as you want it. */
async function leftByAgent(
  context: LoopContext,
  { task }: Chosen,
  { facts, before }: Begun,
  { seen, stagedBefore }: Before,
) {
  const { git } = context.ports;
  const left = await git.diffWithPatch(before, 'now', READ_PATCH_BYTES);
  const yours = await uncommittedAt(context, before, facts.taskState.series, stagedBefore);
  const { after } = left.changes;
  const changed = pathsOf(left.changes).filter((path) => canHaveWritten(path, seen));
  const { now, lost } = await putBackWork(context, { task, by: 'agent', yours, now: after, changed });
  const back = now.tree === after.tree ? left : await git.diffWithPatch(before, now, READ_PATCH_BYTES);
  return { ...back, yours, lost };
}

/** What comes before the first agent of an iteration: its start on record, and what agents must not touch kept or read. */
export function prepareOnce(context: LoopContext, { tracker }: Chosen, begun: Begun) {
  const { ports, run } = context;
  const prepare = async () => {
    const recorded = recordStart(context, begun);
    const protection = await ports.protection.begin(run, begun.facts.iteration, {
      trackers: tracker.paths,
      prompts: orderFiles(context.config),
    });
    const gatesBefore = lookAtGates(context);
    const refsBefore = await ports.git.refs();
    const stagedBefore = await ports.git.staged(refsBefore.head);
    return { recorded, protection, gatesBefore, refsBefore, stagedBefore };
  };
  let prepared: ReturnType<typeof prepare> | null = null;
  return () => {
    prepared ??= prepare();
    return prepared;
  };
}

export type Prepare = ReturnType<typeof prepareOnce>;

async function idleIn(context: LoopContext, changes: ChangeSet, patch: string): Promise<IdleChange[]> {
  const { store } = context.ports;
  await rememberToolOutputs(context, changes.after, pathsOf(changes));
  return idleChanges(changes, patch, (path) => isOutput(store.state, path));
}

/** The documents of the iterations so far, and the checkpoint to which the attempt can be taken back. */
async function keepBefore(
  { ports: { git, store }, config: { checkpoints }, run }: LoopContext,
  iteration: number,
  before: Snapshot,
  protection: Protected,
): Promise<void> {
  await store.unlocked();
  store.writeViews();
  await protection.follow(await git.checkpoint(run, iteration, before));
  if (iteration % PRUNE_EVERY !== 0) return;
  const { keep, retention_minutes: retentionMinutes } = checkpoints;
  await protection.follow(await git.pruneCheckpoints({ keep, retentionMinutes }));
}

/** The agent may have taken the folder away: the gates' logs need it again, and the record its prompt. */
function restoreDocuments(
  { ports: { store }, run }: LoopContext,
  { documents }: Chosen,
  { facts, path, prompt }: Begun,
): void {
  store.iterationFolder(run, facts.iteration);
  const promptPath = `${path}/prompt.md`;
  if (store.readDocument(promptPath) === prompt) return;
  store.writeDocument(promptPath, prompt);
  documents.restore();
}
