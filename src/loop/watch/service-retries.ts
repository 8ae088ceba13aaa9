import { isoTime } from 'ralph-agents';
import { type AgentEvent, isLimit, type Retry } from 'ralph-agents/event';
import { deferred } from 'ralph-kit/deferred';
import { formatDuration } from 'ralph-kit/duration';
import type { Clock, Halt } from '../../domain/ports.ts';
import { RETRIES_MS, type RetryShown, type ServiceRetries, saysText } from '../../domain/service.ts';
import type { OpenWaiting } from './waiting.ts';

const ANSWERED: ReadonlySet<AgentEvent['kind']> = new Set(['text', 'tool_call', 'tool_result', 'result']);

type Failed = Extract<AgentEvent, { kind: 'error' }>;

type Followed = {
  readonly retry?: RetryShown;
  /** Event with the time when a limit ends, for the report. */
  readonly limit?: AgentEvent;
};

type RetriesOptions = {
  readonly clock: Clock;
  readonly agent: string;
  /** Milliseconds of wall time that the attempt may take. Retries may extend this by the same amount at most. */
  readonly wallMs: number;
  readonly waiting: OpenWaiting;
};

/**
 * Watches requests that an agent's program repeats. Their time doesn't count for the task. If they take too long, or
 * the program announces a long wait, the attempt ends: ralph then waits without an agent, or another one works
 * meanwhile.
 */
export function watchRetries({ clock, agent, wallMs, waiting }: RetriesOptions) {
  const halted = deferred<Halt>();
  let row: { readonly since: number; readonly over: AbortController; tries: number } | null = null;
  let all: ServiceRetries | null = null;

  function openRow() {
    const over = new AbortController();
    const end = waiting.begin();
    void clock.sleep(Math.max(0, wallMs - (all?.waitedMs ?? 0)), over.signal).then(end);
    void clock.sleep(RETRIES_MS, over.signal).then(() => {
      if (!over.signal.aborted) halt(`${agent} has tried again for ${formatDuration(RETRIES_MS)}`);
    });
    return { since: clock.monotonicMs(), over, tries: 0 };
  }

  function halt(how: string): void {
    halted.resolve({ why: 'endless', message: `${all?.answer}: ${how}` });
  }

  function closeRow(): void {
    if (row === null) return;
    row.over.abort();
    if (all !== null) all = { ...all, waitedMs: all.waitedMs + Math.round(clock.monotonicMs() - row.since) };
    row = null;
  }

  function failedAgain({ cause, message }: Failed, { status, attempt, of, inMs }: Retry): Followed {
    row ??= openRow();
    row.tries += 1;
    const answer = saysText(status, cause === 'other' ? 'outage' : cause);
    all = { tries: (all?.tries ?? 0) + 1, waitedMs: all?.waitedMs ?? 0, answer };
    const retry = { answer, attempt: attempt ?? row.tries, of };
    if (inMs === null || clock.monotonicMs() - row.since + inMs <= RETRIES_MS) return { retry };
    halt(`${agent} would wait ${formatDuration(inMs)}`);
    const resetsAt = isoTime(Date.parse(clock.now()) + inMs);
    return isLimit(cause)
      ? { retry, limit: { kind: 'limit', message, resetsAt, inWords: false } }
      : { retry };
  }

  return {
    halted: halted.promise,
    onEvent: (event: AgentEvent): Followed => {
      if (event.kind === 'error' && event.retry !== undefined) return failedAgain(event, event.retry);
      if (ANSWERED.has(event.kind) || (event.kind === 'error' && event.fatal)) closeRow();
      return {};
    },
    /** Returns the repeated requests; `null`: there were none. */
    close: (): ServiceRetries | null => {
      closeRow();
      return all;
    },
  };
}
