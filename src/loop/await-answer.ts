import { answerableOf, isReached, waitsIn } from '../decide/index.ts';
import { waitsKey } from '../domain/notification.ts';
import { controlOf } from '../domain/records/run-control.ts';
import type { State } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import type { LoopContext } from './context.ts';
import { decidingOf, type Notifier } from './notifier.ts';

/** Milliseconds between two checks for an answer in a chat, and for your commands in another terminal. */
const SLICE_MS = 500;

/**
 * Waits while all remaining tasks need you and a chat was asked about some of them, at most `[loop] max_wait`.
 * Returns whether something changed, so that the run chooses again.
 */
export async function awaitAnswer(
  context: LoopContext,
  notifier: Notifier,
  tasks: readonly Pick<Task, 'id'>[],
): Promise<boolean> {
  const { ports, config, run, runUntil, answerChat } = context;
  const { clock, store, stop, notify } = ports;
  const waitMs = config.loop.max_wait * 1000;
  if (answerChat === null || waitMs === 0) return false;
  await notifier.delivered();
  const listed = new Set(tasks.map(({ id }) => id));
  const deciding = decidingOf(config);
  const asked = (state: State) =>
    waitsIn(state).filter(
      (one) =>
        one.kind !== 'stop' &&
        listed.has(one.taskId) &&
        notify.isAsked(one) &&
        answerableOf(one, state, deciding).ok,
    );
  const seen = (state: State) => JSON.stringify([asked(state).map(waitsKey), controlOf(state, run)]);
  const before = seen(store.refresh());
  const waiting = asked(store.state).flatMap((one) => (one.kind === 'stop' ? [] : one.taskId));
  if (waiting.length === 0) return false;
  const startedMs = clock.monotonicMs();
  const until = new Date(Date.parse(clock.now()) + waitMs).toISOString();
  store.writeViews();
  store.commit([{ type: 'wait_started', wait: { for: 'answer', until, tasks: waiting } }]);
  let isNews = false;
  while (!stop.polite.aborted && !isNews) {
    const now = clock.now();
    if (isReached(until, now) || isReached(runUntil, now)) break;
    await clock.sleep(SLICE_MS, stop.polite);
    isNews = seen(store.refresh()) !== before;
  }
  const durationMs = clock.monotonicMs() - startedMs;
  store.commit([{ type: 'wait_finished', for: 'answer', durationMs, over: isNews }]);
  return isNews || stop.polite.aborted;
}
