import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { planGates } from '../../proof/gates/index.ts';

type GatesToRun = ReturnType<typeof planGates> & {
  /** Gates that the task asks for and the configuration doesn't have. */
  readonly unknown: readonly string[];
};

/**
 * The gates to run after an attempt, and those that the paths pass over which the task's attempts changed. An attempt
 * that didn't come to its end, or a series that changed nothing, has nothing to prove, unless the agent reports that the
 * task was done before.
 */
export function gatesToRun(
  specs: readonly GateSpec[],
  {
    task,
    end,
    report,
    changes,
    series,
  }: Pick<IterationFacts, 'task' | 'end' | 'report' | 'changes' | 'series'>,
  { status }: Pick<Claim, 'status'>,
): GatesToRun {
  const cameToItsEnd = end.kind === 'exited' && end.code === 0 && report.ok;
  const paths = [...new Set([...pathsOf(changes), ...(series === null ? [] : pathsOf(series.changes))])];
  const isEmpty = paths.length === 0;
  if (!cameToItsEnd || (isEmpty && status !== 'already_done')) return { run: [], skipped: [], unknown: [] };
  const unknown = new Set(task.gates.filter((name) => !specs.some((spec) => spec.name === name)));
  return { ...planGates(specs, isEmpty ? null : paths), unknown: [...unknown] };
}
