import { redact } from 'ralph-kit/redact';
import { claimOf, decideIteration, gatesToRun, timeoutFor } from '../../decide/index.ts';
import { READ_PATCH_BYTES } from '../../domain/change-set.ts';
import type { AtHead, CopyCommit } from '../../domain/ports.ts';
import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import { emptyProfile } from '../../domain/records/profile.ts';
import { EMPTY_TASK_STATE, isOutput } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { idleChanges } from '../../proof/findings/index.ts';
import type { JudgeContext } from '../context.ts';
import type { Attempted } from '../iteration/attempt.ts';
import { type AttemptFacts, examineWork } from '../iteration/examine.ts';
import { policyFacts } from '../policy-facts.ts';
import { pathsIn } from '../proof/tree-files.ts';
import { tryMutants } from '../proof/try-mutants.ts';
import { readGateSources } from '../read-gate-sources.ts';
import { factsAtStart } from '../start/facts-at-start.ts';
import { NO_AGENT_RAN } from '../start/no-agent-ran.ts';
import { takeBaseline } from '../take-baseline.ts';

type WorkToVerify = {
  readonly base: { readonly commit: string; readonly tree: string };
  /** Current state of the work. `commit`: `null` if it isn't committed. */
  readonly head: { readonly commit: string | null; readonly tree: string };
  /** Request for the work, as a task. Without a title there is no request. */
  readonly task: Task;
  /** Report about the work; '' if there is none. */
  readonly report: string;
  readonly commits: readonly CopyCommit[];
};

type Verified =
  | {
      readonly kind: 'judged';
      readonly facts: IterationFacts;
      readonly decisions: IterationDecisions;
      readonly paths: readonly string[];
    }
  /** Why the work can't be judged, as a sentence. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'stopped' };

/**
 * Judges the work as a run judges an attempt, but lands nothing.
 * @param asked Context with a store and copies of its own
 */
export async function verifyWork(
  asked: JudgeContext,
  { base: { commit, tree }, head, task, report, commits }: WorkToVerify,
): Promise<Verified> {
  const { ports } = asked;
  const { work, store, stop } = ports;
  const baseline = await takeBaseline(asked, {
    commit,
    tree,
    branch: null,
    isHere: true,
    tip: commit,
    results: [],
  });
  if (stop.polite.aborted) return { kind: 'stopped' };
  if (baseline.kind === 'refused') return { kind: 'unknown', message: baseline.message };
  const { gates } = baseline;
  const context = { ...asked, gates };
  const base = { commit, tree, branch: null, taskId: null };
  await work.reset(base, tree);
  const [before, gatesBefore] = [await work.git.snapshot(), readGateSources(context)];
  await work.reset(base, head.tree);
  const left = await work.git.diffWithPatch(before, 'now', READ_PATCH_BYTES);
  const { patch } = left;
  const named = commits.map(({ id, subject }) => ({ id, subject: redact(subject, context.secrets) }));
  const changes = { ...left.changes, commits: named };
  const begun = beginNothing(context, task);
  const folder = store.iterationFolder(context.run, 1);
  const seen = {
    ...begun,
    ...NO_ATTEMPT,
    report: { ...NO_ATTEMPT.report, finalMessage: report },
    changes,
    pointers: [...(await work.pointers(changes.after.tree, folder))],
    idleChanges: idleChanges(changes, patch, (path) => isOutput(store.state, path)),
    gateSources: [gatesBefore, readGateSources(context)],
  };
  // You gave the report for this work, whichever task it names.
  const claimed = { ...task, id: claimOf(seen).taskId ?? task.id };
  const claim = {
    ...claimOf({ ...seen, task: claimed }),
    completion: true,
    exitSignal: null,
    status: 'done' as const,
  };
  const plan = gatesToRun(gates, seen, claim);
  if (plan.run.length > 0)
    store.commit([
      { type: 'gates_started', gates: plan.run.map(({ name }) => name), baseline: false, one: null },
    ]);
  const { facts, tested } = await examineWork(context, seen, {
    claim,
    plan,
    folder,
    joins: false,
    patch,
    whole: patch,
    reviewed: { changes, patch },
    commits,
    head: atHead(head.commit, task),
  });
  if (stop.polite.aborted) return { kind: 'stopped' };
  const decisions = decideIteration(facts, claim);
  const shown = { proof: decisions.proof, tested };
  const isDone = decisions.verdict.kind === 'done';
  const tried = isDone ? await tryMutants(context, plan.run, facts, shown) : {};
  if (stop.polite.aborted) return { kind: 'stopped' };
  const paths = await pathsIn(ports.git, changes.after.tree);
  return { kind: 'judged', facts: { ...facts, ...tried }, decisions, paths };
}

function atHead(commit: string | null, { title }: Task): AtHead {
  return commit === null ? { message: title || 'Uncommitted work' } : { commit };
}

function beginNothing(context: JudgeContext, task: Task): ReturnType<typeof factsAtStart> {
  const { ports, config, mode } = context;
  const { state } = ports.store;
  const only = [task.id];
  const now = ports.clock.now();
  const workers = { working: [], held: [] };
  const policy = policyFacts({ config, state, tasks: [task], now, only, among: null, workers });
  const agent = NO_ATTEMPT.agent;
  const timeout = timeoutFor({
    task,
    taskState: EMPTY_TASK_STATE,
    profile: emptyProfile(agent),
    mode,
    settings: config.adaptive_timeout,
  });
  const choice = { ...NOTHING_CHOSEN, only, policy };
  const adapter = { name: agent, output: 'text' as const };
  const begun = factsAtStart(
    { ...context, workflow: null },
    { task, why: '', adapter, choice, tasks: [task] },
    timeout,
    null,
  );
  // The project's `completion` setting must not let work pass by a claim alone, or without a claim.
  return { ...begun, settings: { ...begun.settings, completion: 'claim' } };
}

type Attempt = Omit<
  Attempted['facts'],
  'changes' | 'idleChanges' | 'pointers' | 'gateSources' | 'timeoutSeconds' | 'timeoutReason'
> &
  Pick<AttemptFacts, 'agent' | 'series' | 'waitedMs' | 'prover'>;

const NO_ATTEMPT: Attempt = {
  ...NO_AGENT_RAN,
  agent: 'verify',
  checkpoints: [],
  repositories: [],
  byHooks: { changed: [], tookOut: [] },
  series: null,
  waitedMs: 0,
  prover: null,
};

const NOTHING_CHOSEN: Omit<ChoiceFacts, 'only' | 'policy'> = {
  seq: 0,
  tasks: '',
  statuses: [],
  asked: [],
  among: null,
  autoUnblocked: [],
  availability: { agents: [], now: '', maxWaitSeconds: 0, runUntil: null },
  waits: [],
  checkpoints: [],
  reconciled: [],
  incident: null,
  outage: null,
  finished: [],
  waiting: [],
  signal: null,
  control: { stop: null, pausedAt: null, stoppedWorkers: [] },
  iterations: 0,
  maxIterations: 1,
  results: [],
  idleIterations: 0,
  noProgressLimit: 0,
  first: [],
  freeWorkers: 1,
  workers: { working: [], held: [] },
};
