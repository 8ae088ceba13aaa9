import type { Clock } from '../../domain/ports.ts';
import { networkErrorCode } from '../http-address.ts';
import type { Target } from './settings.ts';

/** The wait after a failure; it doubles with each. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** What is waiting to be sent to one target. */
export type Outbox = {
  /** The next document; `null`: nothing waits. The same until one of the following is called. */
  readonly next: () => unknown;
  /** The document of `next` is done with, one way or the other. */
  readonly done: () => void;
};

export type Exporter = {
  /** Sends what waits, where nothing is being sent and no wait after a failure is on. */
  readonly wake: () => void;
  /** Sends what waits, without a wait after failures. Resolves when nothing waits or one more try has failed. */
  readonly drain: () => Promise<void>;
  /** Ends a request that is on its way. */
  readonly abort: () => void;
};

/**
 * Sends one document after the other. A failed one stays, and is tried again when it is woken after the wait: there
 * is no timer, so nothing keeps the process alive between two iterations.
 *
 * @param onProblem what is reported to the user; the first of its kind alone counts.
 */
export function exporter(
  target: Target,
  outbox: Outbox,
  clock: Clock,
  onProblem: (message: string) => void,
): Exporter {
  let sending: Promise<void> | null = null;
  let failures = 0;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  let stop = new AbortController();

  async function sendAll(): Promise<void> {
    for (let document = outbox.next(); document !== null; document = outbox.next()) {
      const sent = await sendJson(target, document, clock, stop.signal);
      if (sent.kind === 'again') {
        const wait = sent.afterMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
        failures += 1;
        notBeforeMs = clock.monotonicMs() + wait;
        onProblem(sent.why);
        return;
      }
      failures = 0;
      if (sent.kind === 'refused') onProblem(sent.why);
      outbox.done();
    }
  }

  function start(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }

  return {
    wake: () => {
      if (clock.monotonicMs() >= notBeforeMs) void start();
    },
    drain: async () => {
      // What is on its way may have begun before the last document came.
      await sending;
      await start();
    },
    abort: () => {
      stop.abort();
      stop = new AbortController();
    },
  };
}

/** What became of a request. `again`: worth another try, after `afterMs` where the receiver says when. */
type Sent =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly why: string };

/** Answers that may be another one the next time (OTLP specification, Retryable response codes). */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Posts one document. Never throws. Errors name neither headers nor what stands in the address behind the path. */
async function sendJson(
  { url, headers, timeoutMs }: Target,
  document: unknown,
  clock: Clock,
  stop: AbortSignal,
): Promise<Sent> {
  const place = `${url.origin}${url.pathname}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'ralph' },
      body: JSON.stringify(document),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stop]),
    });
    const { ok, status } = response;
    if (ok) return rejectedBy(await response.text(), place) ?? { kind: 'sent' };
    response.body?.cancel().catch(() => undefined);
    const why = `${place} answered ${status}`;
    if (!RETRYABLE.has(status)) return { kind: 'refused', why };
    return { kind: 'again', why, afterMs: retryAfterMs(response.headers.get('retry-after'), clock) };
  } catch (error) {
    if (stop.aborted) return { kind: 'again', why: `${place} gave no answer before the end`, afterMs: null };
    const late = error instanceof Error && error.name === 'TimeoutError';
    const why = late ? `no answer within ${timeoutMs / 1000} s` : networkErrorCode(error);
    return { kind: 'again', why: `${place} could not be reached (${why})`, afterMs: null };
  }
}

/** The receiver took the request and threw a part of it away: sending it again would not help. */
function rejectedBy(body: string, place: string): Sent | null {
  try {
    const { partialSuccess } = JSON.parse(body) as {
      partialSuccess?: { rejectedSpans?: unknown; rejectedDataPoints?: unknown };
    };
    const rejected = Number(partialSuccess?.rejectedSpans ?? partialSuccess?.rejectedDataPoints ?? 0);
    return rejected > 0 ? { kind: 'refused', why: `${place} threw ${rejected} of them away` } : null;
  } catch {
    return null;
  }
}

/** Seconds or an HTTP date. */
function retryAfterMs(header: string | null, clock: Clock): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.parse(clock.now());
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
