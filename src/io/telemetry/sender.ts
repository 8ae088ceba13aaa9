import type { Clock } from '../../domain/ports.ts';
import { networkErrorCode } from '../http-address.ts';
import type { Target } from './settings.ts';

/** What became of a request. `again`: worth another try, after `afterMs` where the receiver says when. */
export type Sent =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly why: string };

/** Answers that may be another one the next time (OTLP specification, Retryable response codes). */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Posts one document. Never throws. Errors name neither headers nor what stands in the address behind the path. */
export async function sendJson(
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
