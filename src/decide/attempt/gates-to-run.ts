import { pathsOf } from '../../domain/change-set.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { planGates } from '../../gates/index.ts';

/** What attempts right before this one wrote that something outside ended, as far as you left it. */
export function unjudgedPaths({
  taskState,
  yoursBefore,
}: Pick<IterationFacts, 'taskState' | 'yoursBefore'>): string[] {
  return (taskState.series?.unjudged ?? []).filter((path) => !yoursBefore.includes(path));
}

type GatesToRun = ReturnType<typeof planGates> & {
  /** Gates that the task asks for and the configuration doesn't have. */
  readonly unknown: readonly string[];
};

/**
 * The gates to run after an attempt, and those that the changed paths pass over. An attempt that didn't come to its
 * end, or changed nothing, has nothing to prove.
 */
export function gatesToRun(
  specs: readonly GateSpec[],
  {
    task,
    end,
    report,
    changes,
    ...facts
  }: Pick<IterationFacts, 'task' | 'taskState' | 'yoursBefore' | 'end' | 'report' | 'changes'>,
): GatesToRun {
  const cameToItsEnd = end.kind === 'exited' && end.code === 0 && report.ok;
  const paths = [...new Set([...pathsOf(changes), ...unjudgedPaths(facts)])];
  if (!cameToItsEnd || paths.length === 0) return { run: [], skipped: [], unknown: [] };
  const unknown = new Set(task.gates.filter((name) => !specs.some((spec) => spec.name === name)));
  return { ...planGates(specs, paths), unknown: [...unknown] };
}
