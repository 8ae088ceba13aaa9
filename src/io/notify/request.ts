import { networkErrorCode } from 'ralph-kit/network-error';
import type { Try } from './channel.ts';

/** The longest answer of a service that is read, in bytes. */
const LONGEST_ANSWER = 4_000_000;

type Call = {
  /** Name of the service for errors, which never name its address: the address is a secret. */
  readonly service: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Milliseconds until an answer. */
  readonly timeoutMs: number;
};

type Failed = Extract<Try, { ok: false }>;
type Answered = {
  readonly ok: true;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

/** Calls a service, and reads the whole answer. */
export async function call(request: Call): Promise<Answered | Failed> {
  const { service, timeoutMs, signal } = request;
  const limit = AbortSignal.timeout(timeoutMs);
  const both = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  try {
    const response = await open({ ...request, signal: both });
    let text = '';
    for await (const part of textOf(response)) {
      text += part;
      if (text.length > LONGEST_ANSWER)
        return { ok: false, error: `${service} answered with too much`, isRetryable: false };
    }
    const { status, headers } = response;
    return { ok: true, status, headers, text };
  } catch (error) {
    return failureOf(service, error, timeoutMs);
  }
}

/** Opens a request whose answer is read as it comes. @throws What `fetch` throws */
export function open({
  url,
  method,
  headers = {},
  body,
  signal,
}: Omit<Call, 'service' | 'timeoutMs'>): Promise<Response> {
  return fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      'user-agent': 'ralph',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
}

export function failureOf(service: string, error: unknown, timeoutMs: number): Failed {
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  const why = isLate
    ? `${service} gave no answer within ${timeoutMs / 1000} s`
    : `${service} could not be reached (${networkErrorCode(error)})`;
  return { ok: false, error: why, isRetryable: true };
}

/**
 * Returns the failure of a message that the service refused.
 * @param afterSeconds How long the service asks to wait; `null`: it doesn't say.
 */
export function refusal(
  service: string,
  {
    status,
    why,
    afterSeconds,
  }: { readonly status: number; readonly why: string; readonly afterSeconds: number | null },
): Failed {
  const isRetryable = status === 429 || status >= 500;
  const error = `${service} answered ${status}${why === '' ? '' : `: ${why}`}`;
  return afterSeconds === null || !isRetryable
    ? { ok: false, error, isRetryable }
    : { ok: false, error, isRetryable, afterMs: Math.max(0, afterSeconds) * 1000 };
}

/** The seconds of a `Retry-After` header; `null`: there are none. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}
