import type { Observed } from '../domain/observed.ts';
import type { Task } from '../domain/task.ts';
import type { Found } from './detector.ts';
import { driftOf } from './patterns/goal-drift.ts';
import { repetitiveErrorsSoFar } from './patterns/repetitive-errors.ts';

export type StreamIssue = Found & { readonly type: string };

/** What can be told of an attempt while it still goes on, for corrections that are sent into the running agent. */
export function streamIssues(observed: Observed, task: Task): StreamIssue[] {
  const repeated = repetitiveErrorsSoFar(observed);
  const drift = driftOf(observed, task);
  return [
    ...(repeated === null ? [] : [{ type: 'repetitive_errors', ...repeated }]),
    ...(drift === null ? [] : [{ type: 'goal_drift', ...drift }]),
  ];
}
