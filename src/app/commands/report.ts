import { join } from 'node:path';
import { type ReportFacts, reportRun, suggestFor } from '../../decide/index.ts';
import { RunRecord } from '../../domain/records/run-record.ts';
import { EMPTY_STATE, type RunSummary, type State } from '../../domain/records/state.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { systemClock } from '../../io/clock.ts';
import { readRunRecords } from '../../io/store/index.ts';
import { snakeKeys } from '../../lib/snake-keys.ts';
import { budgetLimits } from '../../loop/index.ts';
import { foldRecords } from '../../state/index.ts';
import { chooseRun } from '../records/choose-run.ts';
import { readDocument } from '../records/recorded-run.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inTaskList, type ProjectInput, runningHere, type TaskList } from '../setup/project.ts';
import { placeOf } from '../setup/state-home.ts';

export type ReportResult = DataOf<typeof report>;

/** `ralph report [RUN]`: what a run did and what is left; by default the newest that did something. */
export function report(input: ProjectInput & { readonly run: string | null }) {
  return inTaskList(input, (list) => {
    const { runs } = list.project.store.state;
    const worked = input.run === null ? newestThatWorked(runs) : null;
    const chosen =
      worked === null
        ? chooseRun(
            runs.map(({ run }) => run),
            input.run,
            'ralph report',
          )
        : { ok: true as const, run: worked.run };
    if (!chosen.ok) return chosen;
    const made = reportOf(list, chosen.run);
    return made.ok ? success(snakeKeys(made.report)) : made;
  });
}

/** The newest run with an attempt in it; else `null`. */
export function newestThatWorked(runs: readonly RunSummary[]): RunSummary | null {
  return runs.findLast(({ iterations }) => iterations > 0) ?? null;
}

/** The report of a run from what is on record. */
export function reportOf(
  { project, tracker, tasks }: TaskList,
  run: string,
): { readonly ok: true; readonly report: RunReport } | Failure {
  const { root, config, workplace, exists, store } = project;
  const { state } = store;
  const then = asItEnded(project, run);
  const known = then.runs.findLast((one) => one.run === run);
  if (known === undefined) return failure(`There is no run ${run}.`, 'ralph report');
  const given = { state, config, tracker: tracker.name, exists };
  const record = readDocument(join(root, '.ralph', 'runs', run, 'run.json'), RunRecord);
  const facts: ReportFacts = {
    limits: budgetLimits(config),
    run: known,
    end: record.kind === 'read' && known.ending !== null ? record.value : null,
    running: runningHere(project)?.run === run,
    newest: isNewest(state, run),
    baseline: then.baseline,
    ...{ tasks, state, workplace },
    now: systemClock().now(),
    suggest: config.unblock.auto_suggest ? (task) => suggestFor(task, given) : null,
  };
  return { ok: true, report: reportRun(facts) };
}

/** Later ones that did nothing change nothing. */
function isNewest({ runs }: State, run: string): boolean {
  const index = runs.findLastIndex((one) => one.run === run);
  return runs.slice(index + 1).every(({ iterations }) => iterations === 0);
}

/** The state when the run ended; of the newest that is the state now. Of older ones the journal has it. */
function asItEnded({ root, stateHome, gitDir, commonDir, store }: TaskList['project'], run: string): State {
  const { state } = store;
  const known = state.runs.findLast((one) => one.run === run);
  if (isNewest(state, run) || known === undefined) return state;
  const records = readRunRecords(join(root, '.ralph'), stateHome, placeOf({ gitDir, commonDir }), run);
  const start = records.findIndex((record) => record.type === 'run_started' && record.run === run);
  const next = records.findIndex((record, index) => index > start && record.type === 'run_started');
  return start === -1 ? state : foldRecords(EMPTY_STATE, records.slice(0, next === -1 ? undefined : next));
}
