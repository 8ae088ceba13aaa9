import { endingOfStop } from '../decide/index.ts';
import {
  DECIDER_VERSION,
  type IterationDecisions,
  type IterationFacts,
} from '../domain/records/iteration.ts';
import type { JournalRecord } from '../domain/records/journal.ts';
import { documentName, type RunRecord } from '../domain/records/run-record.ts';
import { allSpend, spentOf } from '../domain/spend.ts';
import { checkChoice, type TaskLists, tasksOf } from './check-choice.ts';
import { type Checked, type Checks, type Difference, openChecks, type StoredDocument } from './checks.ts';
import { type IterationContext, type RecordedIteration, replayIteration } from './replay-iteration.ts';
import { type RunJournal, runJournal } from './run-journal.ts';

export type RecordedRun = Pick<IterationContext, 'lists' | 'inputs'> & {
  readonly run: string;
  readonly record: StoredDocument<RunRecord>;
  /** Iterations with a folder, in rising order. */
  readonly iterations: readonly RecordedIteration[];
  /** Records from the first of all, or from a snapshot of the state; empty if the journal can't be read. */
  readonly journal: readonly JournalRecord[];
};

export type ReplayedIteration = Checked & {
  readonly iteration: number;
  readonly taskId: string | null;
  readonly verdict: string | null;
  /** Version of the code that made the decisions; `null` without a record. */
  readonly decider: number | null;
  /** Why there are no decisions, or another remark. */
  readonly note: string | null;
};

export type Replay = {
  readonly run: string;
  readonly iterations: readonly ReplayedIteration[];
  readonly whole: Checked & { readonly ending: string | null; readonly note: string | null };
  readonly decisions: number;
  readonly differences: readonly Difference[];
  /** Other versions of the deciding code that made some of the decisions. */
  readonly otherDeciders: readonly number[];
  /**
   * `changed`: other code made the decisions and would decide differently today, which isn't a mistake. `different`: equal code has another
   * result, or the record was changed.
   */
  readonly outcome: 'equal' | 'changed' | 'different';
};

/** Recomputes every decision of a run from the facts on record. Pure: the same documents give the same report. */
export function replayRun(recorded: RecordedRun, sha256: (text: string) => string): Replay {
  const journal = runJournal(recorded.run, recorded.journal);
  const context = { journal, lists: recorded.lists, inputs: recorded.inputs, sha256 };
  const decided: Decided[] = [];
  const iterations = withMissing(recorded.iterations, journal).map((one): ReplayedIteration => {
    const { iteration, record } = one;
    if (record.kind !== 'read') return withoutRecord(one, journal);
    const { checks, decisions } = replayIteration({ ...one, record }, context);
    const { facts, ...rest } = record.value;
    decided.push({ iteration, facts, decisions });
    return {
      iteration,
      taskId: facts.task.id,
      verdict: rest.decisions.verdict.kind,
      decider: rest.decider,
      note: journal.interrupted.has(iteration)
        ? 'ralph was killed before the journal had it: it counts as interrupted'
        : null,
      ...plain(checks),
    };
  });
  return conclude(recorded, iterations, wholeRun(recorded, journal, decided, iterations));
}

function wholeRun(
  recorded: RecordedRun,
  journal: RunJournal,
  decided: readonly Decided[],
  iterations: readonly ReplayedIteration[],
): Replay['whole'] {
  const { lists, record } = recorded;
  const checks = openChecks(null);
  for (const name of namedDocuments(recorded)) {
    const kind = name.split('-')[0] ?? '';
    const found = (kind === 'tasks' ? lists.get(name) : recorded.inputs.get(name)) ?? { kind: 'absent' };
    const seen = found.kind === 'read' ? documentName(kind, found.sha256) : fileStatusOf(found);
    checks.record(name, seen, name);
  }
  // An iteration that the journal knows as interrupted doesn't count.
  const counted = decided.filter(({ iteration }) => !journal.interrupted.has(iteration));
  const complete = iterations.every(
    ({ decider, differences }) => decider !== null || differences.length === 0,
  );
  checkEnd(checks, record, { journal, lists, decided: counted, complete });
  const cutOff = record.kind === 'absent' && journal.holdsRun && journal.end === null;
  return {
    ending: record.kind === 'read' ? record.value.ending.kind : (journal.end?.ending ?? null),
    note: cutOff ? 'it is still running, or was cut off: its end is not on record' : null,
    ...plain(checks),
  };
}

function conclude(
  { run, record }: RecordedRun,
  iterations: readonly ReplayedIteration[],
  whole: Replay['whole'],
): Replay {
  const parts = [...iterations, whole];
  const differences = parts.flatMap((part) => part.differences);
  const deciders = new Map(iterations.map(({ iteration, decider }) => [iteration, decider]));
  const deciderOf = (iteration: number | null) =>
    iteration === null ? (record.kind === 'read' ? record.value.decider : null) : deciders.get(iteration);
  const others = [...deciders.values(), deciderOf(null)].filter(
    (one) => one != null && one !== DECIDER_VERSION,
  );
  const mistakes = differences.filter(
    ({ kind, iteration }) => kind === 'record' || deciderOf(iteration) === DECIDER_VERSION,
  );
  return {
    run,
    iterations,
    whole,
    decisions: parts.reduce((sum, { checked }) => sum + checked.length, 0),
    differences,
    otherDeciders: [...new Set(others)].filter((one) => one != null),
    outcome: mistakes.length > 0 ? 'different' : differences.length > 0 ? 'changed' : 'equal',
  };
}

/** Returns the iterations with those that the journal knows and that no longer have a folder. */
function withMissing(
  iterations: readonly RecordedIteration[],
  { started }: RunJournal,
): readonly RecordedIteration[] {
  const present = new Set(iterations.map(({ iteration }) => iteration));
  const missing = [...started.keys()]
    .filter((iteration) => !present.has(iteration))
    .map((iteration) => ({
      iteration,
      record: { kind: 'absent' } as const,
      files: new Map<string, string>(),
    }));
  return [...iterations, ...missing].toSorted((one, other) => one.iteration - other.iteration);
}

/** A missing record is a mistake, unless the attempt never ended or never started. */
function withoutRecord({ iteration, record }: RecordedIteration, journal: RunJournal): ReplayedIteration {
  const checks = openChecks(iteration);
  const finished = journal.finished.get(iteration);
  const startEntry = journal.started.get(iteration);
  const taskId = startEntry?.taskId ?? null;
  const base = { iteration, taskId, verdict: null, decider: null };
  if (record.kind === 'absent' && finished === undefined && (startEntry !== undefined || journal.holdsRun)) {
    const cutOff = journal.interrupted.has(iteration)
      ? 'cut off before it was decided'
      : 'not finished: nothing is decided yet';
    const note =
      startEntry === undefined ? 'never started: ralph ended before its start was on record' : cutOff;
    return { ...base, note, ...plain(checks) };
  }
  checks.record('iteration.json', fileStatusOf(record), finished?.recordSha256);
  return { ...base, verdict: finished?.attempt.verdict ?? null, note: null, ...plain(checks) };
}

function fileStatusOf(found: StoredDocument<unknown>): string {
  return found.kind === 'damaged' ? `damaged: ${found.reason}` : 'missing';
}

function namedDocuments({ iterations, record }: RecordedRun): readonly string[] {
  const names = iterations.flatMap((one) =>
    one.record.kind === 'read' ? [one.record.value.facts.choice.tasks, one.record.value.facts.inputs] : [],
  );
  const cause = record.kind === 'read' ? record.value.cause : null;
  const last = cause?.kind === 'choice' ? cause.facts.tasks : undefined;
  return [...new Set([...names, last])].filter((name) => name !== undefined);
}

function plain({ checked, notRecorded, differences }: Checked): Checked {
  return { checked, notRecorded, differences };
}

type Decided = {
  readonly iteration: number;
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
};

type EndContext = {
  readonly journal: RunJournal;
  readonly lists: TaskLists;
  readonly decided: readonly Decided[];
  readonly complete: boolean;
};

function checkEnd(checks: Checks, stored: StoredDocument<RunRecord>, context: EndContext): void {
  const { journal } = context;
  if (stored.kind === 'damaged') checks.record('run.json', `damaged: ${stored.reason}`, undefined);
  if (stored.kind === 'absent') {
    // A run that was cut off has no record.
    if (journal.end === null) checks.missing('ending');
    else checks.record('run.json', 'missing', journal.end.recordSha256);
  }
  if (stored.kind !== 'read') return;
  const record = stored.value;
  const { cause } = record;
  if (cause.kind === 'choice') {
    const known = { tasks: tasksOf(cause.facts, context.lists), journal };
    checkChoice(checks, cause.facts, { ending: record.ending }, known);
  } else checks.decision('ending', record.ending, endingOfStop(cause));
  checkCounts(checks, record, context);
  if (journal.end === null) {
    checks.missing('journal');
    return;
  }
  const { ending, exitCode, recordSha256 } = journal.end;
  checks.record('run.json', stored.sha256, recordSha256);
  checks.decision(
    'journal',
    { ending, exitCode },
    { ending: record.ending.kind, exitCode: record.ending.exitCode },
  );
}

function checkCounts(checks: Checks, record: RunRecord, { decided, complete }: EndContext): void {
  if (!complete) {
    checks.missing('counts');
    return;
  }
  const blocked = new Set<string>();
  for (const { facts, decisions } of decided) {
    blocked.delete(facts.task.id);
    if (decisions.blocked !== null || decisions.taskStatus === 'blocked') blocked.add(facts.task.id);
  }
  const done = decided.filter(({ decisions }) => decisions.taskStatus === 'done');
  const { iterations, tokens } = record;
  checks.decision(
    'counts',
    // Tasks of several workers end in another order than they begin.
    { iterations, done: record.done.toSorted(), blocked: record.blocked.toSorted(), tokens },
    {
      iterations: decided.length,
      done: [...new Set(done.map(({ facts }) => facts.task.id))].toSorted(),
      blocked: [...blocked].toSorted(),
      tokens: spentOf(decided.flatMap(({ decisions }) => allSpend(decisions))).tokens,
    },
  );
}
