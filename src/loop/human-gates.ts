import type { GateRequest } from '../domain/human/gate.ts';
import type { JournalBody } from '../domain/records/journal.ts';
import { chained, entryOf } from '../human/index.ts';
import type { LoopContext } from './context.ts';
import { announceGate } from './perform/announce-gate.ts';

/** How often a wait looks for a decision from another terminal. */
const SLICE_MS = 500;

/** Requests whose time is over: the task is blocked, or you are notified again. Nothing passes by that. */
export async function settleTimeouts(context: LoopContext): Promise<void> {
  const { store, clock, ids } = context.ports;
  const isLate = ({ deadline, action }: GateRequest) =>
    action === null && deadline !== null && Date.parse(clock.now()) >= Date.parse(deadline);
  if (!store.refresh().human.requests.some(isLate)) return;
  let late: readonly GateRequest[] = [];
  store.commit(({ human }) => {
    late = human.requests.filter(isLate);
    let { head } = human.audit;
    return late.flatMap((request): JournalBody[] => {
      const by = { user: 'ralph', role: '', signature: null };
      const said = {
        kind: 'timeout',
        decision: request.onTimeout,
        at: clock.now(),
        feedback: '',
        by,
      } as const;
      const line = chained(head, entryOf(request, said), ids.sha256);
      head = { n: line.n, hash: line.hash };
      return [
        { type: 'human_gate_timed_out', request: request.id },
        { type: 'audit_logged', line },
      ];
    });
  });
  for (const { id, onTimeout, facts } of late) {
    const option =
      onTimeout === 'block' ? 'nobody decided in time; blocked' : 'nobody decided in time; escalated';
    context.ports.emit({ kind: 'human_gate_over', id, taskId: facts.taskId, option });
    const still = store.state.human.requests.find((one) => one.id === id);
    if (still !== undefined) await announceGate(context, still);
  }
}

/**
 * Asks you at each open request, one after the other. A decision from another terminal ends the question within a
 * second, and so does the end of the request's time.
 */
export async function askAtGates(context: LoopContext): Promise<'decided' | 'left'> {
  const { askGate, ports } = context;
  if (askGate === null) return 'left';
  for (const { id } of ports.store.refresh().human.requests.filter(({ action }) => action === null)) {
    const request = ports.store.refresh().human.requests.find((one) => one.id === id);
    // It was decided while you were asked about another one.
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
    return now !== undefined && (now.deadline === null || Date.parse(clock.now()) < Date.parse(now.deadline));
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
