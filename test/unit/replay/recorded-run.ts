import { createHash } from 'node:crypto';
import { NO_REVIEWS, summaryOf } from 'ralph-actions/forms/record';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import * as z from 'zod/mini';
import { promptFrom, stateFor } from '../../../src/decide/attempt/prompt-from.ts';
import { attemptNumber, knownCheckpoint, timeoutFor } from '../../../src/decide/attempt/starting-attempt.ts';
import { agentAvailability } from '../../../src/decide/choice/available-agent.ts';
import { chooseNext } from '../../../src/decide/choice/choose-next.ts';
import { decideIteration } from '../../../src/decide/decide-iteration.ts';
import { finishedRecord, iterationRecord } from '../../../src/decide/finished-record.ts';
import { AdaptiveTimeoutSettings } from '../../../src/domain/config.ts';
import { NO_AVOIDANCE } from '../../../src/domain/findings/avoidance.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import type { ChoiceFacts } from '../../../src/domain/records/choice.ts';
import {
  DECIDER_VERSION,
  type IterationFacts,
  type IterationRecord,
} from '../../../src/domain/records/iteration.ts';
import type { JournalBody, JournalRecord } from '../../../src/domain/records/journal.ts';
import type { InputsDocument, RunRecord } from '../../../src/domain/records/run-record.ts';
import { EMPTY_STATE, type State, workplaceStateOf } from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';
import { openRunDocuments } from '../../../src/loop/run-documents.ts';
import type { RecordedIteration } from '../../../src/replay/replay-iteration.ts';
import type { RecordedRun } from '../../../src/replay/replay-run.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { NO_ACTIONS, NO_RESOURCES } from '../../helpers/facts.ts';
import { DEFAULT_INTERVENTION_SETTINGS } from '../../helpers/intervention-settings.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';
import { NO_POLICY, NO_POLICY_AT_START } from '../../helpers/policy.ts';
import { changeSet, REPORT } from '../findings/facts.ts';
import { SHOWN_ITERATION, SHOWN_RUN } from '../state/records.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const RUN = 'r-1';
const AGENT = 'scripted';
const LIMITS = { fileOperations: 500, memoryMb: 0, tokens: 0, executionSeconds: 0, batchSize: 0 };
const AT = '2026-01-01T00:00:00.000Z';
const MODE = { name: 'speed', timeoutSeconds: 120 };
const ADAPTIVE = z.parse(AdaptiveTimeoutSettings, {});
const INPUTS: InputsDocument = {
  $schema: 'ralph.inputs.v1',
  template: null,
  templateName: '.ralph/PROMPT_build.md',
  roleTemplates: {},
  maxAttempts: 3,
  constraints: [],
  boundaries: [],
  goals: [],
  notes: [],
  guidance: '',
  gatesAgain: [],
  gates: [],
  rotationDays: 30,
  commit: 'never',
  limits: { notes: 4000, feedback: 4000 },
  reinforcement: { strength: 'medium', examples: true },
};
const SETTINGS: IterationFacts['settings'] = {
  completion: 'claim',
  commits: false,
  maxAttemptsPerTask: 3,
  gateOutputLimit: 4000,
  requiredGates: [],
  heldOutGates: [],
  isBoxed: true,
  requiredGrade: 'none',
  humanGates: HumanSettings.parse({}).gates,
  interventions: DEFAULT_INTERVENTION_SETTINGS,
  texts: {},
  prices: {},
};
/** A wait between the two attempts of the recorded run. */
const WAITED: ChoiceFacts['waits'][number] = {
  facts: {
    agents: [
      {
        name: AGENT,
        suspended: null,
        unavailable: {
          kind: 'outage',
          message: 'down',
          since: AT,
          until: '2026-01-01T00:00:30.000Z',
          tries: 1,
          resetKnown: false,
        },
      },
    ],
    now: AT,
    maxWaitSeconds: 21_600,
    runUntil: null,
  },
  wait: { agent: AGENT, cause: 'outage', until: '2026-01-01T00:00:30.000Z' },
};
const CLAIM = 'RALPH_STATUS\nTASK: T-1\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS\n';

function breaksOf({ policy: { agentFailures, blockedTasks, cycles, armed } }: State) {
  return { agentFailures, blockedTasks, cycles, armed };
}

/**
 * A run as the loop records it: task T-1 is claimed without a file, then done with one; T-2 waits for it and is left
 * when the limit of two iterations is reached. All of it goes through JSON, as files do.
 */
export function recordedRun(): RecordedRun {
  const journal: JournalRecord[] = [];
  let state: State = EMPTY_STATE;
  const append = (...bodies: JournalBody[]) => {
    const records = bodies.map((body, index) => ({ seq: state.seq + 1 + index, at: AT, ...body }));
    journal.push(...records);
    state = foldRecords(state, records);
  };
  const files = new Map<string, string>();
  const store = { writeDocument: (path: string, text: string) => files.set(path, text) };
  const documents = openRunDocuments(RUN, { store, ids: { sha256 } } as never);
  const process = {
    startedAt: '2026-01-01T00:00:00Z',
    pid: 1,
    host: 'host',
    version: '1',
    workers: 1,
    unchecked: [],
    head: null,
  };
  const place = { worker: 1, worktree: 'main', verified: null };
  append({
    type: 'run_started',
    run: RUN,
    agent: AGENT,
    mode: MODE.name,
    ...process,
    ...place,
    ...SHOWN_RUN,
  });

  const iterations: RecordedIteration[] = [];
  const choose = (tasks: readonly Task[]) => {
    const facts: ChoiceFacts = {
      seq: state.seq,
      ...documents.tasks(tasks),
      only: null,
      asked: [],
      among: null,
      autoUnblocked: [],
      availability: {
        agents: [...agentAvailability(state, [AGENT])],
        now: AT,
        maxWaitSeconds: 21_600,
        runUntil: null,
      },
      waits: iterations.length === 1 ? [WAITED] : [],
      workers: { working: [], held: [] },
      finished: [],
      results: [],
      checkpoints: [],
      policy: {
        ...NO_POLICY,
        quality: state.policy.quality,
        spent: { ...NO_POLICY.spent, iterations: state.policy.budget.spent.iterations },
        checkpoint: { ...NO_POLICY.checkpoint, done: state.policy.checkpoint.done },
      },
      reconciled: [],
      incident: null,
      outage: null,
      waiting: [],
      signal: null,
      control: { stop: null, pausedAt: null, stoppedWorkers: [] },
      ...{ first: [], freeWorkers: 1 },
      iterations: iterations.length,
      maxIterations: 2,
      idleIterations: state.idleIterations,
      noProgressLimit: 3,
    };
    return { facts, next: chooseNext(facts, { tasks, states: state.tasks }) };
  };
  const attempt = (changed: readonly string[]) => {
    const { facts: choice, next } = choose(tasksNow(state));
    if (next.kind !== 'task') throw new Error('a task is left');
    const { task, why } = next;
    const iteration = iterations.length + 1;
    const known = stateFor(state, task.id, AGENT);
    const { taskState, profile } = known;
    const timeout = timeoutFor({ task, taskState, profile, mode: MODE, settings: ADAPTIVE });
    const start = {
      ...known,
      begun: null,
      task,
      settings: SETTINGS,
      timeoutSeconds: timeout.seconds,
      startedAt: AT,
      limits: LIMITS,
      ...NO_POLICY_AT_START,
      breaks: { strict: false, ...breaksOf(state) },
      budget: { ...NO_POLICY_AT_START.budget, spent: choice.policy.spent },
      workflow: null,
    };
    const prompt = promptFrom(INPUTS, { ...start, tasks: tasksNow(state) });
    if (!prompt.ok) throw new Error(prompt.message);
    const inputs = documents.inputs(INPUTS);
    const identity = { run: RUN, worker: 1, worktree: 'main', agent: AGENT, mode: MODE.name, startedAt: AT };
    const stateSeq = state.seq;
    const place = { run: RUN, iteration, taskId: task.id, at: AT, taskState: start.taskState };
    const before = { tree: 'before', head: null, branch: null };
    append({
      type: 'iteration_started',
      ...identity,
      iteration,
      taskId: task.id,
      timeoutSeconds: timeout.seconds,
      ...SHOWN_ITERATION,
      checkpoint: knownCheckpoint({ ...place, before, state }),
      head: null,
      branch: null,
    });
    const changes = changeSet(...changed);
    const facts: IterationFacts = {
      ...identity,
      ...start,
      iteration,
      waitedMs: 0,
      series: null,
      endedAt: AT,
      agentOutput: 'claude-stream',
      timeoutReason: timeout.reason,
      attempt: attemptNumber(known.taskState),
      promptSha256: sha256(prompt.prompt),
      promptText: '',
      end: { kind: 'exited', code: 0 },
      durationMs: 1000,
      report: { ...REPORT, finalMessage: CLAIM },
      changes: changed.length === 0 ? { ...changes, after: changes.before } : changes,
      criteria: [],
      fileFacts: [],
      operation: null,
      conflict: null,
      redSince: null,
      commandRuns: [],
      baseline: null,
      gateSources: [],
      idleChanges: [],
      ...{ repositories: [], pointers: [], byHooks: { changed: [], tookOut: [] }, missing: [] },
      leftTree: changes.after.tree,
      testedTree: changes.after.tree,
      proof: null,
      prover: null,
      mutants: null,
      tampering: [],
      head: null,
      modeTimeoutSeconds: MODE.timeoutSeconds,
      adaptiveTimeout: ADAPTIVE,
      level: timeout.level,
      choice,
      chosenBecause: why,
      stateSeq,
      inputs,
      errorTail: '',
      guidance: [],
      resumed: null,
      sessionUsage: [],
      review: NO_ACTIONS,
      observed: EMPTY_OBSERVED,
      credentials: [],
      avoidance: NO_AVOIDANCE,
      runsOnOpen: [],
      doneTitles: [],
      ownFindings: [],
      handled: [],
      resources: { ...NO_RESOURCES, durationMs: 1000 },
      configuredLimits: LIMITS,
      checkpoints: workplaceStateOf(state, identity).checkpoints,
      effectiveness: state.interventionStats.cells,
    };
    const decisions = decideIteration(facts);
    const record = asRead<IterationRecord>({ ...iterationRecord(facts, decisions), facts, decisions });
    const recordSha256 = record.sha256;
    const { event: lastEvent, recovery: lastRecovery } = state.counters;
    const counts = { lastEvent, lastRecovery, budget: null };
    append(finishedRecord({ facts, decisions, specs: INPUTS.gates, recordSha256, ...counts }));
    iterations.push({
      iteration,
      record,
      files: new Map([
        ['prompt.md', facts.promptSha256],
        ['reviews.jsonl', facts.review.log.sha256],
      ]),
    });
  };

  attempt([]);
  attempt(['parser.js']);
  const { facts, next } = choose(tasksNow(state));
  if (next.kind !== 'end') throw new Error('the limit is reached');
  const { kind, exitCode, reason } = next.ending;
  const record = asRead<RunRecord>({
    $schema: 'ralph.run.v1',
    decider: DECIDER_VERSION,
    run: RUN,
    agent: AGENT,
    mode: MODE.name,
    version: '1',
    startedAt: AT,
    endedAt: AT,
    durationMs: 2000,
    cause: { kind: 'choice', facts },
    ending: { kind, exitCode, reason, next: null },
    iterations: 2,
    tasks: { total: 2, done: 1, unverified: 0, blocked: 0, open: 1 },
    done: ['T-1'],
    blocked: [],
    tokens: 0,
    costUsd: 0,
    estimatedUsd: 0,
    review_summary: summaryOf(NO_REVIEWS),
    blocked_actions: [],
    gateLost: [],
  });
  append({ type: 'run_finished', run: RUN, ending: kind, exitCode, recordSha256: record.sha256, head: null });
  const named = (kindOfFile: string) =>
    [...files]
      .map(([path, text]) => [path.slice(`runs/${RUN}/`.length), text] as const)
      .filter(([name]) => name.startsWith(kindOfFile))
      .map(([name, text]) => [name, asRead<never>(JSON.parse(text) as never, text)] as const);
  return {
    run: RUN,
    record,
    iterations,
    lists: new Map(named('tasks')),
    inputs: new Map(named('inputs')),
    journal: JSON.parse(JSON.stringify(journal)) as JournalRecord[],
  };
}

function tasksNow(state: State): Task[] {
  const known = state.tasks['T-1'];
  const status = known === undefined ? 'open' : known.doneBy === null ? 'in_progress' : 'done';
  return [
    { ...EMPTY_TASK, id: 'T-1', title: 'Write the parser', status },
    { ...EMPTY_TASK, id: 'T-2', title: 'Write the printer', dependsOn: ['T-1'] },
  ];
}

/** Returns a value as it comes back from disk. */
function asRead<T>(value: T, text = JSON.stringify(value)) {
  return { kind: 'read' as const, value: JSON.parse(text) as T, sha256: sha256(text) };
}
