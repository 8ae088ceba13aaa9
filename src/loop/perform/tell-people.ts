import type { Notification } from '../../domain/ports.ts';
import type { InterventionEvent } from '../../domain/records/event.ts';
import { shareable } from '../../lib/redact-deep.ts';
import type { LoopContext } from '../context.ts';

/** What happened with the recovery plan, where there is one. */
export function withPlan(text: string, plan: readonly string[]): string {
  return [text, ...plan.map((step, at) => `${at + 1}. ${step}`)].join('\n');
}

/** Notifies you, without secrets. A notification that isn't delivered is reported and recorded, and stops nothing. */
export async function tellPeople(
  { ports, run, workplace, secrets }: LoopContext,
  iteration: number,
  notification: Omit<Notification, 'at' | 'run'>,
): Promise<void> {
  const { store, clock, notify } = ports;
  const deliveries = await notify.send({ ...shareable(notification, secrets), at: clock.now(), run });
  const failed = deliveries.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const names = failed.map(({ channel, error }) => `${channel} (${error ?? 'no reason given'})`).join(', ');
  const { taskId, incident } = notification;
  store.commit(({ counters }) => [
    {
      type: 'events_added',
      summary: `"${notification.title}" did not get through: ${names}.`,
      events: failed.map(
        ({ channel, tries, error }, index): InterventionEvent => ({
          id: `e-${counters.event + 1 + index}`,
          iteration,
          run,
          worker: workplace.worker,
          event_type: 'notification_failed',
          timestamp: clock.now(),
          severity: 'warning',
          details: { task_id: taskId, incident, channel, tries, error },
          remediation_attempted: false,
        }),
      ),
    },
  ]);
}
