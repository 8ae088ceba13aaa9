import { redact } from 'ralph-kit/redact';
import { shareable } from 'ralph-kit/redact-deep';
import { type Deciding, notificationOf, waitingNotification, waitsIn } from '../decide/index.ts';
import type { Entry } from '../domain/entry.ts';
import type { Notification } from '../domain/notification.ts';
import { hasBudget } from '../domain/policy.ts';
import { type Delivery, StoreError } from '../domain/ports.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import type { LoopContext } from './context.ts';
import { budgetLimits } from './policy-facts.ts';

export type Notifier = {
  /**
   * Resolves when all notifications so far have been delivered or have failed. @throws StoreError when a failure can't
   * be recorded.
   */
  readonly delivered: () => Promise<void>;
  /** Finishes the deliveries in progress and starts no more. */
  readonly close: () => Promise<void>;
};

type Message = Omit<Notification, 'at' | 'run'>;

/**
 * Sends you notifications about the run's end and about everything that begins to wait for you, in the order of its
 * entries, while the run continues. A failed delivery is recorded and stops nothing.
 */
export function openNotifier(context: LoopContext): Notifier {
  const { store, notify } = context.ports;
  const { config } = context;
  const deciding = decidingOf(config);
  let sending: Promise<void> = Promise.resolve();
  const send = (work: () => Promise<void>) => {
    sending = sending.then(work);
    // The error isn't lost: `delivered` throws it.
    sending.catch(() => undefined);
  };
  // Sends what an earlier run couldn't send, because it was killed or the service was away.
  const sendWaiting = () => {
    const state = store.refresh();
    for (const waits of waitsIn(state)) {
      const message = waitingNotification(waits, state, deciding);
      if (message !== null) send(() => deliver(context, null, message));
    }
  };
  const unfollow = store.follow((entry, worker) => {
    if (entry.type === 'run_reported' && !context.notifyEnd) return;
    const message = notificationOf(entry, store.state, deciding);
    if (message === null) return;
    send(() => commentOn(context, entry, message));
    send(() => deliver(context, worker, message));
  });
  const unlisten = notify.whenBack(sendWaiting);
  sendWaiting();
  const over = new AbortController();
  const { answerChat } = context;
  const listening =
    answerChat === null
      ? Promise.resolve()
      : notify.listen(answerChat, (channel, error) => recordAway(context, channel, error), over.signal);
  return {
    delivered: () => sending,
    close: async () => {
      unfollow();
      unlisten();
      over.abort();
      await Promise.all([sending.catch(() => undefined), listening]);
    },
  };
}

/** Returns the settings that decide whether something may be answered from a chat. */
export function decidingOf(config: LoopContext['config']): Deciding {
  return { human: config.human, hasBudget: hasBudget(budgetLimits(config)) };
}

/** Comments on the issue of a task that waits at a human gate. Answers to the comment have no effect. */
async function commentOn({ ports, secrets }: LoopContext, entry: Entry, message: Message): Promise<void> {
  // Requests for single actions are too frequent for comments on an issue.
  if (message.waits?.kind !== 'gate' || (entry.type === 'human_gate_opened' && entry.request.action !== null))
    return;
  const { taskId } = message.waits;
  try {
    await ports.tracker.comment(taskId, redact(message.text, secrets));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    ports.store.commit([
      { type: 'warned', message: `${taskId} could not be commented on: ${error.message}` },
    ]);
  }
}

async function deliver(
  context: LoopContext,
  worker: number | null,
  { waits, ...words }: Message,
): Promise<void> {
  const { ports, run, secrets } = context;
  const { clock, notify } = ports;
  const notification = { ...shareable(words, secrets), waits, at: clock.now(), run };
  const failed = (await notify.send(notification)).filter(({ ok, isKnown }) => !ok && isKnown !== true);
  if (failed.length === 0) return;
  const names = failed.map(({ channel, error }) => `${channel} (${error ?? 'no reason given'})`).join(', ');
  const { taskId, incident, title } = notification;
  recordFailures(context, worker, {
    summary: `"${title}" did not get through: ${names}.`,
    details: failed.map(({ channel, tries, error }) => ({
      task_id: taskId,
      incident,
      channel,
      tries,
      error,
    })),
  });
}

/** Records that a service can't be read; answers in it count once it is back. */
function recordAway(context: LoopContext, channel: Delivery['channel'], error: string): void {
  const summary = `Answers by ${channel} can't be read: ${error}. They count once it works again.`;
  const details = [{ task_id: null, incident: null, channel, tries: 1, error }];
  try {
    recordFailures(context, null, { summary, details });
  } catch (failed) {
    // The record can't be written; the next entry of the run reports why.
    if (!(failed instanceof StoreError)) throw failed;
  }
}

type Failures = {
  /** Description in one sentence. */
  readonly summary: string;
  readonly details: readonly InterventionEvent['details'][];
};

function recordFailures(
  { ports: { store, clock }, run, workplace }: LoopContext,
  worker: number | null,
  { summary, details }: Failures,
): void {
  store.commit(({ counters }) => [
    {
      type: 'events_added',
      summary,
      events: details.map(
        (one, index): InterventionEvent => ({
          id: `e-${counters.event + 1 + index}`,
          iteration: counters.iteration,
          run,
          worker: worker ?? workplace.worker,
          event_type: 'notification_failed',
          timestamp: clock.now(),
          severity: 'warning',
          details: { ...one },
          remediation_attempted: false,
        }),
      ),
    },
  ]);
}
