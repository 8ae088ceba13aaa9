import type { Snapshot } from '../../domain/change-set.ts';
import type { GateBaseline } from '../../domain/gate.ts';
import type { KnownCheckpoint } from '../../domain/intervention.ts';
import type { State, TaskState } from '../../domain/records/state.ts';

type Start = {
  readonly run: string;
  readonly iteration: number;
  readonly taskId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly before: Snapshot;
  readonly state: State;
  readonly taskState: TaskState;
};

/** The state that an attempt starts from, as a later rollback wants to know it. */
export function knownCheckpoint(start: Start): KnownCheckpoint {
  const { run, iteration, taskId, at, before, state, taskState } = start;
  return {
    id: `${run}/${iteration}`,
    iteration,
    taskId,
    at,
    tree: before.tree,
    gateSuccess: gateSuccess(state.baseline, failingNow(taskState)),
    feedback: state.feedback.filter((entry) => entry.taskId === taskId && entry.source === 'loop'),
    throttle: taskState.throttle,
    baseline: state.baseline,
  };
}

/**
 * Gates that the last attempt at the task left failing: the baseline keeps them as passed. What was rolled
 * back left nothing.
 */
function failingNow({ attempts }: TaskState): readonly string[] {
  const last = attempts.at(-1);
  return last === undefined || last.verdict === 'rolled_back' ? [] : last.failedGates;
}

/** Share of the gates that passed when they were last run; 1 where none was. */
function gateSuccess(baseline: GateBaseline | null, failing: readonly string[]): number {
  const outcomes = Object.entries(baseline?.outcomes ?? {}).filter(([, { kind }]) => kind !== 'skipped');
  if (outcomes.length === 0) return failing.length === 0 ? 1 : 0;
  const passed = outcomes.filter(([name, { kind }]) => kind === 'passed' && !failing.includes(name));
  return passed.length / outcomes.length;
}
