import { waitingForBlocked } from '../../blocked/index.ts';
import type { Task } from '../../domain/task.ts';

/** Tasks that wait for blocked ones, for the JSON of `ralph blocked`. */
export function waitingEntries(tasks: readonly Task[]): Record<string, unknown>[] {
  return waitingForBlocked(tasks).map(({ id, title, waitsFor }) => ({
    id,
    title,
    reason: 'dependency_blocked',
    waits_for: waitsFor,
  }));
}
