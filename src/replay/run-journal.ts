import type { JournalBodyOf, JournalRecord } from '../domain/records/journal.ts';
import { EMPTY_STATE, type State } from '../domain/records/state.ts';
import { foldRecords } from '../state/index.ts';

type Of<T extends JournalRecord['type']> = JournalBodyOf<T> & Pick<JournalRecord, 'seq' | 'at'>;

export type RunJournal = {
  readonly run: string;
  readonly holdsRun: boolean;
  readonly started: ReadonlyMap<number, Of<'iteration_started'>>;
  readonly finished: ReadonlyMap<number, Of<'iteration_finished'>>;
  readonly interrupted: ReadonlySet<number>;
  readonly end: Of<'run_finished'> | null;
  /** Returns the state after the record with this number; `null` if earlier records are missing. Calls in rising order are cheap. */
  readonly stateAt: (seq: number) => State | null;
};

/**
 * Returns the journal of a run.
 * @param records In rising order, from the first of all or from a snapshot of the state.
 */
export function runJournal(run: string, records: readonly JournalRecord[]): RunJournal {
  const own = records.filter((record) => 'run' in record && record.run === run);
  const started = own.filter((record) => record.type === 'iteration_started');
  const finished = own.filter((record) => record.type === 'iteration_finished');
  const interrupted = own.filter((record) => record.type === 'iteration_interrupted');
  return {
    run,
    holdsRun: own.some(({ type }) => type === 'run_started'),
    started: new Map(started.map((record) => [record.iteration, record])),
    finished: new Map(finished.map((record) => [record.iteration, record])),
    interrupted: new Set(interrupted.map(({ iteration }) => iteration)),
    end: own.findLast((record) => record.type === 'run_finished') ?? null,
    stateAt: statesOf(records),
  };
}

function statesOf(records: readonly JournalRecord[]): RunJournal['stateAt'] {
  const first = records[0];
  const whole = first !== undefined && (first.seq === 1 || first.type === 'journal_continued');
  let state = EMPTY_STATE;
  let next = 0;
  return (seq) => {
    if (seq === 0) return EMPTY_STATE;
    if (!whole) return null;
    if (state.seq > seq) {
      state = EMPTY_STATE;
      next = 0;
    }
    const from = next;
    while ((records[next]?.seq ?? Number.POSITIVE_INFINITY) <= seq) next += 1;
    state = foldRecords(state, records.slice(from, next));
    return state.seq === seq ? state : null;
  };
}
