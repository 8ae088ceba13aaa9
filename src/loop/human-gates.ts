import type { GateRequest } from '../domain/human/gate.ts';
import type { Task } from '../domain/task.ts';
import { isLate, timeoutRecords } from '../respond/human/index.ts';
import type { LoopContext } from './context.ts';

/** Milliseconds between two checks for a decision made in another terminal. */
const SLICE_MS = 500;

/**
 * Ends requests whose time is over: the task is blocked, or you are notified again. No request is approved by a
 * timeout.
 */
export async function settleTimeouts(context: LoopContext): Promise<void> {
  const { store, clock, ids } = context.ports;
  const isOver = (request: GateRequest) => isLate(request, clock.now());
  if (!store.refresh().human.requests.some(isOver)) return;
  store.commit(({ human }) =>
    timeoutRecords(human.requests.filter(isOver), human.audit.head, clock.now(), ids.sha256),
  );
}

/**
 * Asks you about open requests. A question ends within a second when you decide in another terminal, or when the
 * request's time is over.
 */
export async function askAtGates(
  context: LoopContext,
  tasks: readonly Pick<Task, 'id'>[],
): Promise<'decided' | 'left'> {
  const { askGate, ports } = context;
  if (askGate === null) return 'left';
  const listed = new Set(tasks.map(({ id }) => id));
  for (const { id, facts } of ports.store.refresh().human.requests) {
    if (!listed.has(facts.taskId)) continue;
    const request = ports.store.refresh().human.requests.find((one) => one.id === id);
    // The request is missing because it was decided in another terminal.
    if (request === undefined) return 'decided';
    if ((await askAt(context, askGate, request)) === 'decided') return 'decided';
    if (ports.stop.polite.aborted) return 'left';
  }
  return 'left';
}

async function askAt(
  { ports }: LoopContext,
  ask: NonNullable<LoopContext['askGate']>,
  request: GateRequest,
): Promise<'decided' | 'left'> {
  const { clock, store, stop } = ports;
  const over = new AbortController();
  const end = () => over.abort();
  stop.polite.addEventListener('abort', end);
  let isOver = false;
  const isOpen = () => {
    const now = store.refresh().human.requests.find(({ id }) => id === request.id);
    return now !== undefined && !isLate(now, clock.now());
  };
  const watch = async () => {
    while (!over.signal.aborted) {
      await clock.sleep(SLICE_MS, over.signal);
      if (over.signal.aborted || isOpen()) continue;
      isOver = true;
      over.abort();
    }
  };
  const watching = watch();
  const answer = await ask(request, over.signal);
  over.abort();
  await watching;
  stop.polite.removeEventListener('abort', end);
  return isOver || answer === 'decided' ? 'decided' : 'left';
}
