import {
  attemptNumber,
  claimOf,
  decideIteration,
  finishedRecord,
  gatesToRun,
  limitsFor,
  promptFrom,
  stateFor,
  timeoutFor,
} from '../decide/index.ts';
import { gatesIn } from '../domain/command-runs.ts';
import { addCost } from '../domain/policy.ts';
import type { IterationDecisions, IterationFacts, IterationRecord } from '../domain/records/iteration.ts';
import { roleFolder, rolePromptPaths } from '../domain/records/iteration-path.ts';
import type { InputsDocument } from '../domain/records/run-record.ts';
import { type State, workplaceStateOf } from '../domain/records/state.ts';
import type { WorkflowFacts } from '../domain/workflow/roles.ts';
import { cheaperModel, selectLessons } from '../respond/policy/index.ts';
import {
  answerProblem,
  plannerPrompt,
  type RoleBasis,
  repairPrompt,
  reviewerPrompt,
} from '../respond/roles/index.ts';
import { checkChoice, type TaskLists, tasksOf } from './check-choice.ts';
import { type Checks, openChecks, type StoredDocument } from './checks.ts';
import type { RunJournal } from './run-journal.ts';

export type RecordedIteration = {
  readonly iteration: number;
  readonly record: StoredDocument<IterationRecord>;
  /** SHA-256 of the prompts and `reviews.jsonl`, by path in the iteration's folder. */
  readonly files: ReadonlyMap<string, string>;
};

export type IterationContext = {
  readonly journal: RunJournal;
  readonly lists: TaskLists;
  readonly inputs: ReadonlyMap<string, StoredDocument<InputsDocument>>;
  readonly sha256: (text: string) => string;
};

/** Decides a recorded iteration again. `decisions` are the ones that follow from its facts. */
export function replayIteration(
  recorded: RecordedIteration & {
    readonly record: Extract<StoredDocument<IterationRecord>, { kind: 'read' }>;
  },
  context: IterationContext,
): { readonly checks: Checks; readonly decisions: IterationDecisions } {
  const { iteration, record } = recorded;
  const { facts } = record.value;
  const { journal, lists } = context;
  const checks = openChecks(iteration);
  const found = context.inputs.get(facts.inputs);
  const inputs = found?.kind === 'read' ? found.value : null;

  const chosen = { taskId: facts.task.id, why: facts.chosenBecause, agent: facts.agent };
  checkChoice(checks, facts.choice, chosen, { tasks: tasksOf(facts.choice, lists), journal });
  checkStart(checks, facts, context);
  checkPrompt(checks, recorded, facts, inputs, context);
  checkRolePrompts(checks, recorded.files, { facts, inputs }, context);
  checkGatePlan(checks, facts, inputs);
  const { log } = facts.review;
  if (log.lines > 0) checks.record('reviews.jsonl', log.sha256, recorded.files.get('reviews.jsonl') ?? null);

  const decisions = decideIteration(facts);
  for (const [what, value] of Object.entries(record.value.decisions)) {
    checks.decision(what, value, decisions[what as keyof IterationDecisions]);
  }
  checkJournal(checks, recorded, facts, decisions, inputs, context);
  return { checks, decisions };
}

/** Checks the start of the attempt and the decisions before the agent ran. */
function checkStart(checks: Checks, facts: IterationFacts, { journal }: IterationContext): void {
  const { task, taskState, modeTimeoutSeconds, adaptiveTimeout, profile, baseline, feedback } = facts;
  const mode = { name: facts.mode, timeoutSeconds: modeTimeoutSeconds };
  const { machine } = facts;
  const now = timeoutFor({ task, taskState, profile, mode, settings: adaptiveTimeout, machine });
  checks.decision(
    'timeout',
    { seconds: facts.timeoutSeconds, reason: facts.timeoutReason, level: facts.level },
    { seconds: now.seconds, reason: now.reason, level: now.level },
  );
  checks.decision('attempt', facts.attempt, attemptNumber(taskState));
  checks.decision('limits', facts.limits, limitsFor(facts.configuredLimits, taskState));
  const state = journal.stateAt(facts.stateSeq);
  if (state === null) checks.missing('state');
  else {
    checks.record(
      'facts',
      { taskState, profile, feedback, baseline },
      { ...stateFor(state, task.id, facts.agent), baseline: state.baseline },
    );
  }
  checkHistory(checks, facts, journal);
  checkPolicy(checks, facts, state);
}

function checkPolicy(checks: Checks, facts: IterationFacts, state: State | null): void {
  const { budget, breaks, lessons, task, choice } = facts;
  const { limits } = choice.policy;
  // The expected spending of other workers is reserved.
  const spent = addCost(choice.policy.spent, choice.policy.reserved);
  checks.decision(
    'budget',
    { ...budget },
    {
      limits,
      spent,
      downgrade: budget.downgrade,
      downgradeFrom: budget.downgradeFrom,
      model: cheaperModel(limits, spent, budget.downgrade, budget.downgradeFrom),
    },
  );
  if (state === null) return;
  const { agentFailures, blockedTasks, cycles, armed } = state.policy;
  const text = `${task.title}\n${task.description}`;
  checks.record(
    'policy',
    { breaks, lessons },
    {
      breaks: { strict: breaks.strict, agentFailures, blockedTasks, cycles, armed },
      lessons: [...selectLessons(state.policy.lessons, { id: task.id, text })],
    },
  );
}

function checkHistory(checks: Checks, facts: IterationFacts, journal: RunJournal): void {
  const { checkpoints, effectiveness, agent } = facts;
  const begun = journal.started.get(facts.iteration);
  const state = begun === undefined ? null : journal.stateAt(begun.seq);
  if (state === null) {
    checks.missing('history');
    return;
  }
  checks.record(
    'history',
    { checkpoints, effectiveness },
    {
      checkpoints: workplaceStateOf(state, facts).checkpoints,
      effectiveness: state.interventionStats.cells.filter((cell) => cell.agent === agent),
    },
  );
}

function checkPrompt(
  checks: Checks,
  recorded: RecordedIteration,
  facts: IterationFacts,
  inputs: InputsDocument | null,
  { lists, sha256 }: IterationContext,
): void {
  checks.record('prompt.md', recorded.files.get('prompt.md') ?? null, facts.promptSha256);
  const tasks = tasksOf(facts.choice, lists);
  if (inputs === null || tasks === null) {
    checks.missing('prompt');
    return;
  }
  const again = promptFrom(inputs, { ...facts, tasks });
  checks.decision('prompt', facts.promptSha256, again.ok ? sha256(again.prompt) : again.message);
}

/** Checks which gates ran. You may stop the run between the plan and the gates. */
function checkGatePlan(checks: Checks, facts: IterationFacts, inputs: InputsDocument | null): void {
  if (inputs === null) {
    checks.missing('gates');
    return;
  }
  if (facts.end.kind === 'interrupted') return;
  const { run, skipped, unknown } = gatesToRun(inputs.gates, facts, claimOf(facts));
  const names = [...[...run, ...skipped].map(({ name }) => name), ...unknown];
  checks.decision(
    'gates',
    gatesIn(facts).map(({ name }) => name),
    names,
  );
}

/** The journal's account of the iteration has to follow from its facts, and have the hash of its record. */
function checkJournal(
  checks: Checks,
  { iteration, record }: RecordedIteration,
  facts: IterationFacts,
  decisions: IterationDecisions,
  inputs: InputsDocument | null,
  { journal }: IterationContext,
): void {
  const finished = journal.finished.get(iteration);
  if (finished === undefined || record.kind !== 'read') {
    checks.missing('journal');
    return;
  }
  checks.record('iteration.json', record.sha256, finished.recordSha256);
  const { seq, at: _at, ...body } = finished;
  const specs = inputs?.gates ?? [];
  const before = journal.stateAt(seq - 1)?.counters;
  const again = finishedRecord({
    facts,
    decisions,
    specs,
    recordSha256: finished.recordSha256,
    // The time at which the budget was read isn't in the facts.
    budget: finished.budget,
    // A journal cut off at its start doesn't have the earlier counts.
    lastEvent: before?.event ?? Number(body.events[0]?.id.slice('e-'.length) ?? 1) - 1,
    lastRecovery: before?.recovery ?? Number(body.recovering?.id.slice('RS-'.length) ?? 1) - 1,
  });
  checks.decision('journal', body, inputs === null ? { ...again, baseline: body.baseline } : again);
}

export function checkRolePrompts(
  checks: Checks,
  files: ReadonlyMap<string, string>,
  { facts, inputs }: { readonly facts: IterationFacts; readonly inputs: InputsDocument | null },
  { sha256 }: Pick<IterationContext, 'sha256'>,
): void {
  for (const [index, run] of (facts.workflow?.runs ?? []).entries()) {
    const name = `prompt of ${roleFolder(run)}`;
    const promptHashes = run.turns.map(({ promptSha256 }) => promptSha256);
    const kept = rolePromptPaths(roleFolder(run)).slice(0, promptHashes.length);
    checks.record(
      name,
      kept.map((path) => files.get(path) ?? null),
      promptHashes,
    );
    if (inputs === null) checks.missing(name);
    else checks.decision(name, promptHashes, promptsOf({ facts, inputs }, facts.workflow, index).map(sha256));
  }
}

/** Returns the prompts of one agent: the first, and a second if its answer had to be repaired. */
function promptsOf(basis: RoleBasis, workflow: WorkflowFacts | null, index: number): readonly string[] {
  if (workflow === null) return [];
  const { runs, plan, diff, files } = workflow;
  const run = runs[index];
  if (run === undefined || run.role === 'maker') return [];
  const { role, adversarial, turns } = run;
  if (role === 'explorer' || role === 'creator') {
    return [plannerPrompt(basis, role, runs.slice(0, index))];
  }
  const asking = { role, adversarial, plan, diff, files };
  const [first, second] = turns.map(({ nonce }) => reviewerPrompt(basis, asking, nonce));
  const problem = answerProblem(turns[0]);
  if (problem === null || second === undefined) return first === undefined ? [] : [first];
  return [first ?? '', repairPrompt(second, problem, turns[0]?.text ?? '')];
}
