import { type AgentEvent, trackBusy } from '../../../domain/agent.ts';
import type { Clock } from '../../../domain/ports.ts';
import { deferred } from '../../../lib/deferred.ts';

/** How long an agent may take to end after its closing result: some wait for the programs that they have started. */
export const CLOSING_MS = 10_000;

/** The time between an agent's closing result, or the end of all its work, and its own end. */
export type Closing = {
  /** Resolves when the time is over; never while the agent works. */
  readonly over: Promise<void>;
  /** Whether the agent has nothing left to do. */
  readonly isOpen: () => boolean;
  readonly onEvent: (event: AgentEvent) => void;
  readonly stop: () => void;
};

/** Begins with each result anew, and not before the next one where the agent works on after it: another turn. */
export function watchClosing(clock: Clock): Closing {
  const over = deferred<void>();
  let waiting: AbortController | null = null;
  const working = trackBusy('agent', 'helper');
  const stop = () => {
    waiting?.abort();
    waiting = null;
  };
  const begin = async () => {
    stop();
    const mine = new AbortController();
    waiting = mine;
    await clock.sleep(CLOSING_MS, mine.signal);
    if (!mine.signal.aborted) over.resolve();
  };
  return {
    over: over.promise,
    isOpen: () => waiting !== null,
    onEvent: (event) => {
      working.onEvent(event);
      if (event.kind === 'result' || (event.kind === 'busy' && event.what !== 'program')) {
        if (working.any()) stop();
        else void begin();
      } else if (isWork(event)) stop();
    },
    stop,
  };
}

function isWork(event: AgentEvent): boolean {
  return ['text', 'tool_call', 'session', 'hook'].includes(event.kind);
}
