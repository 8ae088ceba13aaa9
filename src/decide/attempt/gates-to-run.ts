import { pathsOf } from '../../domain/change-set.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { planGates } from '../../gates/index.ts';

/**
 * The gates to run after an attempt, and those that the changed paths pass over. An attempt that didn't come to its
 * end, or changed nothing, has nothing to prove.
 */
export function gatesToRun(
  specs: readonly GateSpec[],
  { end, report, changes }: Pick<IterationFacts, 'end' | 'report' | 'changes'>,
): ReturnType<typeof planGates> {
  const cameToItsEnd = end.kind === 'exited' && end.code === 0 && report.ok;
  if (!cameToItsEnd || changes.changes.length === 0) return { run: [], skipped: [] };
  return planGates(specs, pathsOf(changes));
}
