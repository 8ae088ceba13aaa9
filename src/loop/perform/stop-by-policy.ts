import { type Ending, stoppedText } from '../../decide/index.ts';
import type { PolicyStop } from '../../domain/policy.ts';
import type { InterventionEvent } from '../../domain/records/event.ts';
import type { EndCause } from '../../domain/records/run-record.ts';
import type { Task } from '../../domain/task.ts';
import { decidePolicy } from '../../respond/policy/index.ts';
import type { LoopContext } from '../context.ts';
import { takeCheckpoint } from './checkpoint.ts';

export async function stopByPolicy(
  context: LoopContext,
  { ending, cause, tasks }: { ending: Ending; cause: EndCause; tasks: readonly Task[] },
): Promise<void> {
  if (cause.kind !== 'choice' || (ending.kind !== 'budget' && ending.kind !== 'break')) return;
  const decided = decidePolicy(cause.facts.policy);
  // A break because of a suspended agent isn't a stop by a policy.
  if (decided.kind !== 'stop' || stoppedText(decided.stop.reason) !== ending.reason) return;
  const { ports, run } = context;
  const { store } = ports;
  const { kind, reason, trigger } = decided.stop;
  const stop: PolicyStop = { kind, run, reason, trigger, times: store.state.policy.stops[kind] + 1 };
  await takeCheckpoint(context, tasks, { why: 'stop', stop });
  store.commit(() => [
    { type: 'policy_stopped', stop, event: trigger === null ? null : breakEvent(context, stop) },
  ]);
}

function breakEvent(
  { ports, run, workplace }: LoopContext,
  { trigger, reason }: PolicyStop,
): InterventionEvent {
  const { store, clock } = ports;
  const { counters, runs, policy } = store.state;
  const runSummary = runs.findLast((one) => one.run === run);
  return {
    id: `e-${counters.event + 1}`,
    iteration: counters.iteration,
    run,
    worker: workplace.worker,
    event_type: 'wiggum.break',
    timestamp: clock.now(),
    severity: 'critical',
    details: {
      task_id: trigger?.taskId ?? null,
      trigger: trigger?.kind ?? null,
      hard: trigger?.hard ?? null,
      reason,
      run_state: {
        iterations: runSummary?.iterations ?? 0,
        done: runSummary?.done ?? [],
        blocked: runSummary?.blocked ?? [],
        spent: policy.budget.spent,
      },
      unresolved_findings: trigger?.unresolved ?? [],
    },
    remediation_attempted: true,
  };
}
