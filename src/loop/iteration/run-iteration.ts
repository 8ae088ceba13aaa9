import {
  attemptNumber,
  attemptSeconds,
  claimOf,
  configuredLimits,
  correctionFor,
  decideIteration,
  decidingSettings,
  finishedRecord,
  incidentOf,
  iterationSpan,
  knownCheckpoint,
  knownOf,
  limitsFor,
  type OpenedIncident,
  promptFrom,
  readInputs,
  sessionToResume,
  shareOf,
  timeoutFor,
} from '../../decide/index.ts';
import type { AgentAdapter } from '../../domain/agent.ts';
import type { Snapshot } from '../../domain/change-set.ts';
import { pathsOf } from '../../domain/change-set.ts';
import type { ChoiceFacts } from '../../domain/choice.ts';
import { DECIDER_VERSION, type IterationDecisions, type IterationFacts } from '../../domain/iteration.ts';
import type { Task } from '../../domain/task.ts';
import { pathsOfInterest } from '../../evidence/index.ts';
import { planGates } from '../../gates/index.ts';
import { findCredentials } from '../../lib/credentials.ts';
import { type LoadedTracker, type LoopContext, type Previous, WORKER } from '../context.ts';
import { personsPaths } from '../perform/commit-work.ts';
import { perform } from '../perform/perform.ts';
import type { RunDocuments } from '../run-documents.ts';
import { runGates } from '../run-gates.ts';
import { hookLost, type PlannedReview } from '../watch/review-session.ts';
import { askHandlers } from './ask-handlers.ts';
import { runAttempt } from './run-attempt.ts';

/** Bytes of an attempt's diff that are kept as `changes.patch`. */
const PATCH_LIMIT = 1_000_000;
/** Files put back that are named on screen; all are in the record. */
const TAMPERING_SHOWN = 5;

/** Titles of done tasks that a record keeps, the newest. */
const TITLES_KEPT = 5;

/** Iterations between two prunings of checkpoints: some more than are kept do no harm. */
const PRUNE_EVERY = 10;

export type IterationOutcome =
  | {
      readonly kind: 'finished';
      readonly decisions: IterationDecisions;
      readonly previous: Previous;
      /** Why the agent's gate does not hold; `null` where it does, or there was none. */
      readonly gateLost: string | null;
      /** Something that you have to fix before the run can continue. */
      readonly problem: string | null;
    }
  /** The attempt couldn't begin; you have to fix something first. */
  | { readonly kind: 'refused'; readonly message: string };

export type Chosen = {
  readonly task: Task;
  /** Why this one. */
  readonly why: string;
  /** Of the agent that takes it up. */
  readonly adapter: AgentAdapter;
  /** How its actions are reviewed. */
  readonly review: PlannedReview;
  readonly choice: ChoiceFacts;
  readonly tracker: LoadedTracker;
  /** All tasks with overlaid status. */
  readonly tasks: readonly Task[];
  readonly documents: RunDocuments;
};

/** One pass of the loop over a task, from the prompt to the record (docs/ARCHITECTURE.md, One iteration). */
export async function runIteration(
  context: LoopContext,
  chosen: Chosen,
  previous: Previous,
): Promise<IterationOutcome> {
  const { ports, config, run, mode, root, worktree } = context;
  const { store, git, clock, emit } = ports;
  const { adapter, task, tasks, tracker, documents } = chosen;

  // What the attempt starts from.
  const state = store.refresh();
  const known = knownOf(state, task.id, adapter.name);
  const { taskState } = known;
  const adaptiveTimeout = config.adaptive_timeout;
  const timeout = timeoutFor({ task, taskState, profile: known.profile, mode, settings: adaptiveTimeout });
  const startedAt = clock.now();
  const settings = decidingSettings(context);
  const inputs = readInputs({ ...context, readFile: ports.readFile });
  const configured = configuredLimits(config);
  const limits = limitsFor(configured, taskState);
  const start = { ...known, task, settings, timeoutSeconds: timeout.seconds, startedAt, limits };
  const allowed = attemptSeconds(timeout.seconds, limits);
  const prompt = promptFrom(inputs, { ...start, tasks });
  if (!prompt.ok) return { kind: 'refused', message: prompt.message };
  const inputsName = documents.inputs(inputs);

  const before = previous.snapshot ?? (await git.snapshot());
  const theirs =
    config.git.commit === 'never' ? [] : await personsPaths(context, state, before, previous.tree);
  const attempt = attemptNumber(taskState);
  const othersWorked = previous.tree !== null && previous.tree !== before.tree;
  const identity = { run, worker: WORKER, agent: adapter.name, mode: mode.name, startedAt };
  store.commit((now) => {
    const number = now.counters.iteration + 1;
    const place = { run, iteration: number, taskId: task.id, at: startedAt, before };
    return [
      {
        type: 'iteration_started',
        ...identity,
        iteration: number,
        worktree,
        taskId: task.id,
        timeoutSeconds: timeout.seconds,
        checkpoint: knownCheckpoint({ ...place, state: now, taskState }),
        othersWorked,
      },
    ];
  });
  const { checkpoints } = store.state;
  const iteration = store.state.counters.iteration;
  const folder = store.iterationFolder(run, iteration);
  const relativeFolder = folder.slice(`${root}/.ralph/`.length);
  store.writeDocument(`${relativeFolder}/prompt.md`, prompt.prompt);
  emit({
    kind: 'iteration_started',
    iteration,
    taskId: task.id,
    title: task.title,
    attempt,
    maxAttempts: config.loop.max_attempts_per_task,
    agent: adapter.name,
    timeoutSeconds: allowed,
    timeoutReason: allowed < timeout.seconds ? `limited; else ${timeout.reason}` : timeout.reason,
  });
  if (timeout.warning !== null) emit({ kind: 'warning', message: timeout.warning });

  // The attempt. Whatever it did to files that are not its own is put back before anything is compared.
  const guard = store.guard(tracker.paths);
  const resumed = config.loop.resume ? sessionToResume(taskState, adapter.name) : null;
  const attempted = runAttempt(context, {
    ...{ task, adapter, review: chosen.review, iteration, attempt, folder, resumed },
    prompt: prompt.prompt,
    timeoutSeconds: timeout.seconds,
    limits,
    restricted: taskState.restriction !== null,
    correction: (issue) => correctionFor(issue, { task, taskState, settings }),
  });
  const meanwhile = whileTheAgentStarts(context, iteration, before);
  meanwhile.catch(() => undefined);
  const { ended, reported, review, rulings, guidance, observed, resources } = await attempted;
  const agentEnded = clock.now();
  await meanwhile;
  const tampering = guard.restore(run, iteration);
  // The agent may have taken the folder away: the gates' logs need it again, and the record its prompt.
  store.iterationFolder(run, iteration);
  const promptPath = `${relativeFolder}/prompt.md`;
  if (store.readDocument(promptPath) !== prompt.prompt) {
    store.writeDocument(promptPath, prompt.prompt);
    documents.restore();
  }
  for (const { path, setAside } of tampering.slice(0, TAMPERING_SHOWN)) {
    const kept = setAside === null ? '' : ` If the change was yours, it is kept as .ralph/${setAside}.`;
    emit({
      kind: 'warning',
      message: `${path} was changed while the agent worked, and was put back.${kept}`,
    });
  }
  const after = await git.snapshot();
  const { changes, patch } = await git.diffWithPatch(before, after, PATCH_LIMIT);
  emit({ kind: 'agent_finished', durationMs: ended.durationMs, filesChanged: changes.changes.length });

  // What it left behind.
  const finished = { ...reported, usage: shareOf(reported.usage, resumed, adapter) };
  const agentOutput = adapter.output;
  const promptText = agentOutput === 'text' ? prompt.prompt : '';
  const claim = claimOf({ report: finished, agentOutput, promptText });
  const fileFacts = await git.fileFacts(after, pathsOfInterest(claim, task, changes));
  const cleanEnd = ended.end.kind === 'exited' && ended.end.code === 0 && finished.ok;
  const plan = planGates(context.gates, cleanEnd ? pathsOf(changes) : []);
  if (plan.run.length > 0) emit({ kind: 'gates_started', gates: plan.run.map(({ name }) => name) });
  const gatesBegan = clock.now();
  const ran = await runGates(context, plan.run, folder);
  const gatesEnded = clock.now();
  const skipped = plan.skipped.map(({ name, reason }) => ({
    name,
    outcome: { kind: 'skipped' as const, reason },
    durationMs: 0,
    outputTail: '',
  }));

  // Everything that was seen, and what follows from it.
  const seen = {
    ...identity,
    ...start,
    iteration,
    worktree,
    endedAt: clock.now(),
    agentOutput,
    timeoutReason: timeout.reason,
    attempt,
    promptSha256: ports.ids.sha256(prompt.prompt),
    promptText,
    end: interruptedByPerson(ended.end, ports.stop.reason()),
    durationMs: Math.round(ended.durationMs),
    report: finished,
    errorTail: ended.errorTail,
    changes,
    fileFacts: [...fileFacts],
    gates: [...ran, ...(changes.changes.length > 0 && cleanEnd ? skipped : [])],
    baseline: state.baseline,
    tampering: [...tampering],
    guidance: [...guidance],
    resumed,
    toldUsage: reported.usage,
    review,
    modeTimeoutSeconds: mode.timeoutSeconds,
    adaptiveTimeout,
    level: timeout.level,
    choice: chosen.choice,
    chosenBecause: chosen.why,
    stateSeq: state.seq,
    inputs: inputsName,
    observed,
    resources,
    configuredLimits: configured,
    credentials: findCredentials(patch),
    doneTitles: tasks
      .filter(({ status }) => status === 'done')
      .map(({ title }) => title)
      .slice(-TITLES_KEPT),
    checkpoints,
    effectiveness: state.interventionStats.cells.filter(({ agent }) => agent === adapter.name),
    runInterventions: state.runs.findLast((one) => one.run === run)?.interventions ?? 0,
  };
  const facts: IterationFacts = { ...seen, ...(await askHandlers(ports.handlers, seen)) };
  const decisions = decideIteration(facts);
  if (ran.length > 0) emit({ kind: 'gates_finished', judgements: decisions.gateReport.judgements });

  // The record first, then what follows from it in the tracker, in the views and in git.
  if (rulings.length > 0) store.writeDocument(`${relativeFolder}/reviews.jsonl`, `${rulings.join('\n')}\n`);
  if (patch !== '') store.writeDocument(`${relativeFolder}/changes.patch`, patch);
  const record = { $schema: 'ralph.iteration.v1' as const, decider: DECIDER_VERSION, facts, decisions };
  const recordText = `${JSON.stringify(record, null, 1)}\n`;
  store.writeDocument(`${relativeFolder}/iteration.json`, recordText);
  const recordSha256 = ports.ids.sha256(recordText);
  const decidedAt = clock.now();
  let incident: OpenedIncident | null = null;
  store.commit(({ counters }) => {
    incident = incidentOf(context, facts, decisions, counters);
    const lastEvent = counters.event;
    const finished = finishedRecord({ facts, decisions, specs: context.gates, ran, recordSha256, lastEvent });
    return incident === null
      ? [finished]
      : [finished, { type: 'incident_opened', incident: incident.incident }];
  });
  emit({
    kind: 'iteration_finished',
    iteration,
    taskId: task.id,
    verdict: decisions.verdict,
    cause: decisions.cause,
    filesChanged: changes.changes.length,
    durationMs: facts.durationMs,
    blocked: decisions.blocked !== null,
    folder: `.ralph/${relativeFolder}`,
  });
  const performed = await perform(context, {
    ...{ facts, decisions, tracker, theirs, gatesRan: ran.length > 0, incident },
  });
  const span = { facts, decisions, agentEnded, gatesBegan, gatesEnded, decidedAt, to: clock.now() };
  ports.telemetry.iteration(iterationSpan(span), store.state);
  const lost = hookLost(chosen.review, review);
  return { kind: 'finished', decisions, gateLost: lost, ...performed };
}

/**
 * What no agent has to wait for: the documents of the iterations so far, and the checkpoint. A failure is reported behind
 * the agent.
 */
async function whileTheAgentStarts(
  { ports: { git, store, clock }, config: { checkpoints }, run }: LoopContext,
  iteration: number,
  before: Snapshot,
): Promise<void> {
  await clock.sleep(0);
  store.writeViews();
  await git.checkpoint(run, iteration, before);
  if (iteration % PRUNE_EVERY !== 0) return;
  await git.pruneCheckpoints({ keep: checkpoints.keep, retentionMinutes: checkpoints.retention_minutes });
}

/** A person's stop while the gates ran leaves the attempt unjudged: it is interrupted, not failed. */
function interruptedByPerson(end: IterationFacts['end'], signal: string | null): IterationFacts['end'] {
  if (signal === null || end.kind === 'interrupted' || end.kind !== 'exited') return end;
  return { kind: 'interrupted', signal, forced: false };
}
