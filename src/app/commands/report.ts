import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readJson } from 'ralph-kit/files/plain-file';
import { snakeKeys } from 'ralph-kit/snake-keys';
import * as z from 'zod/mini';
import { suggestFor } from '../../decide/index.ts';
import { StoreError } from '../../domain/ports.ts';
import { RunEnd } from '../../domain/records/run-record.ts';
import { EMPTY_STATE, type RunSummary, type State } from '../../domain/records/state.ts';
import type { RunReport } from '../../domain/run-report.ts';
import type { Task } from '../../domain/task.ts';
import { systemClock } from '../../io/clock.ts';
import { budgetLimits, continueNow } from '../../loop/index.ts';
import { foldRecords } from '../../state/index.ts';
import { readRunRecords } from '../../store/index.ts';
import {
  type LastRead,
  lastedMs,
  nightOf,
  openTasks,
  type ReportFacts,
  reportRun,
} from '../../tell/index.ts';
import { chooseRun } from '../records/choose-run.ts';
import { readDocument } from '../records/run-document.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inTaskList, type ProjectInput, runLockHolder, type TaskList } from '../setup/workspace.ts';

export type ReportResult = DataOf<typeof report>;

export type ReportInput = ProjectInput & {
  readonly run: string | null;
  readonly since: Date | null;
  /** Whether the report counts as read, so that the next one leaves its news out. */
  readonly read: boolean;
};

/**
 * Reports the named run. By default, it reports all runs since the last report that you read; without a new run, that
 * report again.
 */
export function report(input: ReportInput) {
  return inTaskList(input, (list) => reportFrom(list, input));
}

export function reportFrom(list: TaskList, input: Pick<ReportInput, 'run' | 'since' | 'read'>) {
  const { runs } = list.project.store.state;
  const night = nightIn(list, input);
  if (night.length > 0) {
    const made = reportOf(list, night);
    if (!made.ok) return made;
    if (input.read && input.since === null) keepRead(list.project, night);
    return success(snakeKeys(made.report));
  }
  if (input.since !== null) return failure('No run did anything since then.', 'ralph report --list');
  const chosen = chooseRun(
    runs.map(({ run }) => run),
    input.run,
    'ralph report',
  );
  if (!chosen.ok) return chosen;
  const made = reportOf(list, [chosen.run]);
  return made.ok ? success(snakeKeys(made.report)) : made;
}

/** Returns the runs of the report that you would read now, oldest first; empty: none did anything, or one was named. */
export function nightIn(
  { project }: TaskList,
  input: Pick<ReportInput, 'run' | 'since'> = { run: null, since: null },
): readonly string[] {
  const active = runLockHolder(project)?.run ?? null;
  return nightOf(project.store.state.runs, input, lastRead(project), active);
}

export type ReportListResult = DataOf<typeof listRuns>;

export function listRuns(input: ProjectInput) {
  return inTaskList(input, ({ project }) =>
    success({ runs: project.store.state.runs.toReversed().map(runRow) }),
  );
}

export function runRow(one: RunSummary) {
  return {
    run: one.run,
    agent: one.agent,
    started_at: one.startedAt,
    ended_at: one.endedAt,
    duration_ms: lastedMs(one),
    iterations: one.iterations,
    done: one.done,
    blocked: one.blocked,
    ending: one.ending,
    exit_code: one.exitCode,
  };
}

const Mark = z.object({ from: z.string(), to: z.string() });
const MAX_READ = 1000;

function readFile({ stateHome, owner, place, workplace }: TaskList['project']): string {
  return join(stateHome, owner === 'do' ? join(place, 'report.json') : `report-${workplace.worktree}.json`);
}

function lastRead(project: TaskList['project']): LastRead | null {
  return readJson(readFile(project), Mark, MAX_READ);
}

/** If the mark can't be saved, the report is just repeated next time. */
function keepRead(project: TaskList['project'], night: readonly string[]): void {
  const [from = '', to = from] = [night[0], night.at(-1)];
  try {
    project.prepareHome();
    replaceFile(readFile(project), `${JSON.stringify({ from, to })}\n`, { mode: 0o600 });
  } catch (error) {
    if (!(error instanceof StoreError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function tasksNow({ project, tracker, tasks }: TaskList) {
  const { config, exists, store } = project;
  const { state } = store;
  const given = { state, config, tracker: tracker.name, exists };
  return {
    tasks,
    state,
    continues: continueNow({ config, state, tasks, now: project.clock.now() }),
    suggest: config.unblock.auto_suggest ? (task: Task) => suggestFor(task, given) : null,
  };
}

/** Returns what is known of the tasks now, with those that aren't done, and the command with which work continues. */
export function nowOf(list: TaskList) {
  const now = tasksNow(list);
  return { ...now, open: openTasks({ ...now, running: runLockHolder(list.project) !== null }) };
}

/**
 * Returns one report on several runs, oldest first, with the ending of the newest. Fails for an unknown run.
 * @param now What is known of the tasks; by default, it is looked up.
 */
export function reportOf(
  list: TaskList,
  names: readonly string[],
  now = tasksNow(list),
): { readonly ok: true; readonly report: RunReport } | Failure {
  const { project } = list;
  const run = names.at(-1) ?? '';
  const { folder, config, store } = project;
  const { state } = store;
  const runSummary = state.runs.findLast((one) => one.run === run);
  if (runSummary === undefined) return failure(`There is no run ${run}.`, 'ralph report');
  const record = readDocument(join(folder, 'runs', run, 'run.json'), RunEnd);
  const facts: ReportFacts = {
    limits: budgetLimits(config),
    run: runSummary,
    earlier: state.runs.filter((one) => one.run !== run && names.includes(one.run)),
    end: record.kind === 'read' && runSummary.ending !== null ? record.value : null,
    running: runLockHolder(project)?.run === run,
    newest: isNewest(state, run),
    baseline: baselineOf(project, run),
    ...now,
    now: systemClock().now(),
  };
  return { ok: true, report: reportRun(facts) };
}

function isNewest({ runs }: State, run: string): boolean {
  const index = runs.findLastIndex((one) => one.run === run);
  return runs.slice(index + 1).every(({ iterations }) => iterations === 0);
}

/** Gates at a run's end: the present baseline for the newest run, the journal's for older ones. */
function baselineOf({ folder, stateHome, place, store }: TaskList['project'], run: string) {
  const { state } = store;
  if (isNewest(state, run)) return state.baseline;
  const records = readRunRecords(folder, stateHome, place, run);
  const start = records.findIndex((record) => record.type === 'run_started' && record.run === run);
  const next = records.findIndex((record, index) => index > start && record.type === 'run_started');
  const until = start === -1 ? [] : records.slice(0, next === -1 ? undefined : next);
  return foldRecords(EMPTY_STATE, until).baseline;
}
