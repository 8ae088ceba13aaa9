import { parseJson } from 'ralph-kit/parse-json';
import { redact } from 'ralph-kit/redact';
import { claimOf, timeoutFor } from '../../decide/index.ts';
import {
  type ByHooks,
  type ChangeSet,
  type IdleChange,
  pathsOf,
  READ_PATCH_BYTES,
} from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { CopyCommit, HooksRan } from '../../domain/ports.ts';
import { type FactsOf, type IterationFacts, IterationRecord } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/state.ts';
import { idleChanges } from '../../proof/findings/index.ts';
import { commitMessage } from '../commit-message.ts';
import type { LoopContext } from '../context.ts';
import { runRemotely } from '../fleet/run-remotely.ts';
import { isRemote } from '../is-remote.ts';
import { rememberToolOutputs } from '../outputs.ts';
import { readGateSources } from '../read-gate-sources.ts';
import type { recordStart, StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import { NO_AGENT_RAN } from '../start/no-agent-ran.ts';
import { type Ran, runHere } from '../start/run-here.ts';
import { workPaths } from '../work-paths.ts';

/** Number of iterations between two prunings of checkpoints, because a few extra checkpoints do no harm. */
const PRUNE_EVERY = 10;
/** Number of the newest checkpoints that are kept, however old. */
const KEPT_CHECKPOINTS = 20;

export type Attempted = {
  readonly facts: FactsOf<'agent'> &
    Pick<FactsOf<'attempt'>, 'timeoutSeconds' | 'timeoutReason'> &
    Pick<FactsOf<'changes'>, 'changes' | 'idleChanges' | 'repositories' | 'pointers' | 'byHooks'> &
    Pick<FactsOf<'runs' | 'interventions'>, 'gateSources' | 'checkpoints'>;
  readonly claim: Claim;
  /** Diff of the attempt, up to `READ_PATCH_BYTES`. */
  readonly patch: string;
  readonly commits: readonly CopyCommit[];
  /** Result of your commit hooks, which only run if the agent claims completion. */
  readonly hooks: HooksRan;
  /** End of the agent, ISO 8601 UTC. */
  readonly agentEnded: string;
  /** Milliseconds in which no worker of the fleet worked on the attempt. */
  readonly waitedMs: number;
};

export async function attemptTask(
  context: LoopContext,
  chosen: Chosen,
  started: StartedIteration,
  recorded: ReturnType<typeof recordStart>,
): Promise<Attempted> {
  const { ports } = context;
  const { work, store } = ports;
  const { facts, before } = started;
  const gatesBefore = readGateSources(context);
  await keepBefore(context, facts.iteration, started);
  const { adapter, review } = chosen;
  const beganMs = ports.clock.monotonicMs();
  const kept = await finishedBefore(context, facts.taskState);
  const away = kept === null && isRemote(context, facts.taskState);
  const ran =
    kept ??
    (away
      ? await runRemotely(context, context.remoteWorkers, started)
      : await handedOver(context, started, (prompt) =>
          runHere(context, { ...started, ...prompt, adapter, review }),
        ));
  const { commits, agentEnded } = ran;
  const tookMs = Math.round(ports.clock.monotonicMs() - beganMs);
  const claim = claimOf({ ...facts, report: ran.facts.report });
  const repositories = [...(await work.keepRepositories(started.folder, ran.repositories))];
  const { hooks, byHooks } = claim.completion ? await runHooks(context, started, commits) : NO_HOOKS;
  const left = await work.git.diffWithPatch(before, 'now', READ_PATCH_BYTES);
  const pointers = claim.completion
    ? [...(await work.pointers(left.changes.after.tree, started.folder))]
    : [];
  const own = commits.map(({ id, subject }) => ({ id, subject: redact(subject, context.secrets) }));
  const changes = { ...left.changes, commits: own.toReversed() };
  store.commit([{ type: 'roles_finished', role: 'maker', results: [] }]);
  return {
    facts: {
      ...recorded,
      ...ran.facts,
      ...timeoutOn(ran.facts.machine, started),
      changes,
      repositories,
      pointers,
      byHooks,
      idleChanges: await idleIn(context, changes, left.patch),
      gateSources: [gatesBefore, readGateSources(context)],
    },
    claim,
    patch: left.patch,
    commits,
    hooks,
    agentEnded,
    waitedMs: away ? Math.max(0, tookMs - ran.facts.durationMs) : 0,
  };
}

type Handed = { readonly prompt: string; readonly promptFile: string };

/**
 * Calls `work` with a prompt file that has your original words, for the agent. Records keep a prompt without secrets.
 */
async function handedOver<T>(
  { ports: { store }, workplace: { worker } }: LoopContext,
  { prompt, wholePrompt, folder }: StartedIteration,
  run: (handed: Handed) => Promise<T>,
): Promise<T> {
  if (wholePrompt === prompt) return run({ prompt, promptFile: `${folder}/prompt.md` });
  try {
    return await run({ prompt: wholePrompt, promptFile: store.keepPrompt(worker, wholePrompt) });
  } finally {
    store.forgetPrompt(worker);
  }
}

/** Returns finished work that waited for a gate that was down, with the agent's report; `null`: there is none. */
async function finishedBefore(
  { ports: { store, work, clock } }: LoopContext,
  { finished, series }: IterationFacts['taskState'],
): Promise<Ran | null> {
  const text = finished === null || series === null ? null : store.readDocument(finished);
  const record = text === null ? null : parseJson(text, IterationRecord);
  if (record === null) return null;
  const { task, report, observed } = record.facts;
  store.commit([{ type: 'warned', message: `${task.id} is finished, and judged again without its agent.` }]);
  const { finalMessage, toolCalls, writeCalls } = report;
  const reported = { ...NO_AGENT_RAN.report, finalMessage, toolCalls, writeCalls };
  return {
    facts: { ...NO_AGENT_RAN, report: reported, observed },
    commits: await work.commits(READ_PATCH_BYTES),
    repositories: [],
    agentEnded: clock.now(),
  };
}

/** Returns the time limit on the worker's own machine, learned from machines of its class. */
function timeoutOn(machine: string | undefined, { facts }: StartedIteration) {
  const { task, taskState, profile, adaptiveTimeout: settings, timeoutSeconds, timeoutReason } = facts;
  if (machine === undefined) return { timeoutSeconds, timeoutReason };
  const mode = { name: facts.mode, timeoutSeconds: facts.modeTimeoutSeconds };
  const { seconds, reason } = timeoutFor({ task, taskState, profile, mode, settings, machine });
  return { timeoutSeconds: seconds, timeoutReason: reason };
}

type Hooked = { readonly hooks: HooksRan; readonly byHooks: ByHooks };

const NO_HOOKS: Hooked = { hooks: { kind: 'none' }, byHooks: { changed: [], tookOut: [] } };

/**
 * Runs your commit hooks before the gates, so that their changes are verified, too. Paths that they remove from the
 * commit aren't.
 */
async function runHooks(
  context: LoopContext,
  { facts }: StartedIteration,
  commits: readonly CopyCommit[],
): Promise<Hooked> {
  const { ports, config } = context;
  const { work } = ports;
  if (config.git.commit === 'never' || !work.hasCommitHooks()) return NO_HOOKS;
  const before = await work.git.snapshot();
  const wanted = await workPaths(context, before);
  if (wanted.length === 0) return NO_HOOKS;
  const hooks = await work.commitHooks(commitMessage(config, facts.task, commits), wanted);
  if (hooks.kind !== 'ran') return { ...NO_HOOKS, hooks };
  const after = await work.git.snapshot();
  const { tookOut } = hooks;
  const changed = pathsOf(await work.git.diff(before, after)).filter((path) => !tookOut.includes(path));
  return { hooks, byHooks: { changed, tookOut: [...tookOut] } };
}

async function idleIn(context: LoopContext, changes: ChangeSet, patch: string): Promise<IdleChange[]> {
  const { store } = context.ports;
  await rememberToolOutputs(context, changes.after, pathsOf(changes));
  return idleChanges(changes, patch, (path) => isOutput(store.state, path));
}

async function keepBefore(
  { ports: { git, store }, config: { checkpoints }, run }: LoopContext,
  iteration: number,
  { before }: StartedIteration,
): Promise<void> {
  await store.unlocked();
  store.writeViews('if_due');
  await git.checkpoint(run, iteration, before);
  if (iteration % PRUNE_EVERY !== 0) return;
  await git.pruneCheckpoints({ keep: KEPT_CHECKPOINTS, retentionMinutes: checkpoints.retention_minutes });
}
