import { suggestFor } from '../decide/index.ts';
import type { RunEnd } from '../domain/records/run-record.ts';
import type { RunSummary } from '../domain/records/state.ts';
import type { RunReport } from '../domain/run-report.ts';
import type { Task } from '../domain/task.ts';
import { reportRun } from '../tell/index.ts';
import type { LoopContext } from './context.ts';
import { overlaid } from './load-tasks.ts';
import { budgetLimits, continueNow } from './policy-facts.ts';

type ReportQuery = {
  /** Tasks when the list was last read, in case it can't be read now. */
  readonly tasks: readonly Task[];
  /** End of the run; `null`: it is running. */
  readonly end: RunEnd | null;
  /** Earlier runs to include in the report, oldest first. */
  readonly earlier?: readonly RunSummary[];
};

/** Returns the run from the state. @throws Error if its start isn't on record. */
export function knownRun({ ports, run }: LoopContext): RunSummary {
  const known = ports.store.state.runs.findLast((one) => one.run === run);
  if (known === undefined) throw new Error(`${run} isn't on record`);
  return known;
}

export async function reportOfRun(
  context: LoopContext,
  { tasks: seen, end, earlier = [] }: ReportQuery,
): Promise<RunReport> {
  const { ports, config } = context;
  const { store, clock, tracker } = ports;
  const load = await tracker.load();
  const tasks = load.ok ? overlaid(load, store.refresh()) : seen;
  const { state } = store;
  const now = clock.now();
  const given = { state, config, tracker: load.ok ? load.name : 'the task list', exists: ports.exists };
  return reportRun({
    run: knownRun(context),
    earlier,
    end,
    tasks,
    state,
    continues: continueNow({ config, state, tasks, now }),
    running: end === null,
    newest: true,
    baseline: state.baseline,
    limits: budgetLimits(config),
    now,
    suggest: config.unblock.auto_suggest ? (task) => suggestFor(task, given) : null,
  });
}
