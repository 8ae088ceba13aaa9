import type { OpenedIncident } from '../../decide/index.ts';
import { StoreError } from '../../domain/ports.ts';
import type { LoopContext } from '../context.ts';
import { tellPeople, withPlan } from './tell-people.ts';

/**
 * Writes the report of an emergency stop that is on record, and notifies you. Where it holds up all runs, this one ends
 * with its next choice, as the incident is open.
 */
export async function announceIncident(
  context: LoopContext,
  { incident, report }: OpenedIncident,
): Promise<void> {
  const { store } = context.ports;
  const { id, summary, taskId, iteration, scope, severity } = incident;
  const path = `incidents/${id}.json`;
  try {
    store.writeDocument(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    // The stop itself is on record and holds.
    if (!(error instanceof StoreError)) throw error;
    store.commit([{ type: 'warned', message: `The report of ${id} could not be written: ${error.message}` }]);
  }
  await tellPeople(context, iteration, {
    taskId,
    incident: id,
    ...(scope === 'run'
      ? {
          kind: 'emergency_stop',
          severity: 'critical',
          title: `ralph: emergency stop ${id} at task ${taskId}`,
        }
      : {
          kind: 'awaiting_human',
          severity: severity === 'critical' ? 'critical' : 'warning',
          title: `ralph: task ${taskId} waits for you (${id})`,
        }),
    text: withPlan(summary, report.recovery_plan),
    next: [`ralph incidents show ${id}`, `ralph resume ${id}`],
    result: null,
  });
}
