import { endingOfStop } from '../decide/index.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import type { RunRecord } from '../domain/records/run-record.ts';
import { allSpend, spentOf } from '../domain/spend.ts';
import { checkChoice, type TaskLists, tasksOf } from './check-choice.ts';
import type { Checks, StoredDocument } from './checks.ts';
import type { RunJournal } from './run-journal.ts';

export type Decided = {
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

export function checkEnd(checks: Checks, stored: StoredDocument<RunRecord>, context: EndContext): void {
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
