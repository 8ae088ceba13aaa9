import type { Clock } from '../../domain/ports.ts';
import { networkErrorCode } from '../http-address.ts';
import type { Target } from './settings.ts';

/** Pause after the first failure, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Documents waiting for one target. */
export type Outbox = {
  /** Returns the next document until `done` is called; `null`: nothing waits. */
  readonly next: () => unknown;
  /** Drops the document of `next`, sent or not. */
  readonly done: () => void;
};

export type Exporter = {
  /** Starts sending, unless already sending or pausing after a failure. */
  readonly wake: () => void;
  /** Sends everything without pauses; resolves when nothing waits or another try has failed. */
  readonly drain: () => Promise<void>;
  readonly abort: () => void;
};

/**
 * Sends documents one at a time. A failed one is retried by a later `wake`: without a timer, nothing keeps the
 * process alive.
 * @param onProblem Receives problems for the user, who sees only the first of each kind.
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
      // The current request may have begun before the last document came.
      await sending;
      await start();
    },
    abort: () => {
      stop.abort();
      stop = new AbortController();
    },
  };
}

/** Whether the receiver took the data. `again`: another try is worth it, after `afterMs` if the receiver says so. */
type Sent =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly why: string };

/** Status codes worth a retry (OTLP specification, Retryable response codes). */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Posts a document; never throws. Errors name neither headers nor the address's query. */
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

/** The receiver rejected a part of the request, which a retry wouldn't change. */
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

/** The header has seconds or an HTTP date. */
function retryAfterMs(header: string | null, clock: Clock): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.parse(clock.now());
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
