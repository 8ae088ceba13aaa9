import type { AgentEvent } from '../../../domain/agent.ts';
import type { Clock } from '../../../domain/ports.ts';
import { deferred } from '../../../lib/deferred.ts';

/** How long an agent may take to end after its closing result: some wait for the programs that they have started. */
export const CLOSING_MS = 10_000;

/** The time between an agent's closing result and its end. */
export type Closing = {
  /** Resolves when the time is over; never while there is no result. */
  readonly over: Promise<void>;
  /** Whether the last that the agent did was to give its result. */
  readonly isOpen: () => boolean;
  readonly onEvent: (event: AgentEvent) => void;
  readonly stop: () => void;
};

/** Begins with each result anew, and not before the next one where the agent works on after it: another turn. */
export function watchClosing(clock: Clock): Closing {
  const over = deferred<void>();
  let waiting: AbortController | null = null;
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
      if (event.kind === 'result') void begin();
      else if (isWork(event)) stop();
    },
    stop,
  };
}

function isWork(event: AgentEvent): boolean {
  return (
    event.kind === 'text' || event.kind === 'tool_call' || event.kind === 'session' || event.kind === 'hook'
  );
}
