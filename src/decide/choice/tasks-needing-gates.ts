import type { GateOutage, GateSpec } from '../../domain/gate.ts';
import type { Task } from '../../domain/task.ts';
import { planGates } from '../../proof/gates/index.ts';

/** Returns ids of tasks that need a gate which is down, as far as their text shows. */
export function tasksNeedingGates(
  { gates }: Pick<GateOutage, 'gates'>,
  specs: readonly GateSpec[],
  tasks: readonly Task[],
): string[] {
  const down = specs.filter(({ name }) => gates.includes(name));
  const isAboutAll = down.some(({ paths }) => (paths ?? []).length === 0);
  const needsOne = ({ gates: named, expectedPaths, status }: Task) =>
    status !== 'done' &&
    (isAboutAll ||
      named.some((name) => gates.includes(name)) ||
      planGates(down, expectedPaths ?? []).run.length > 0);
  return tasks.filter(needsOne).map(({ id }) => id);
}
