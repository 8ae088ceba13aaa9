import { networkErrorCode } from 'ralph-kit/network-error';
import type { Answer, World } from './protocol.ts';

export type Service = {
  readonly name: string;
  /** Value of the authorization header. */
  readonly authorization: string;
  /** Names of the variables with the credentials. */
  readonly variables: string;
};

const TIMEOUT_MS = 60_000;
/** A service that asks for a longer pause is asked again by the next command. */
const LONGEST_WAIT_SECONDS = 60;
const MOST_TRIES = 3;

/**
 * Sends a JSON request, waiting as long as a rate limit says. Redirections aren't followed: credentials would go to a
 * host that isn't configured.
 * @param body Sent by POST; absent: a GET.
 */
export async function askService(
  service: Service,
  url: string,
  { clock, userAgent }: Pick<World, 'clock' | 'userAgent'>,
  body?: unknown,
): Promise<Answer<unknown>> {
  const { name, authorization } = service;
  const failed = (message: string): Answer<unknown> => ({ ok: false, message: `${name} ${message}` });
  for (let tries = 1; ; tries += 1) {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization,
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': userAgent,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      const why = isLate ? `no answer in ${TIMEOUT_MS / 1000} s` : networkErrorCode(error);
      return failed(`can't be reached at ${new URL(url).host}: ${why}. Nothing is lost: run again`);
    }
    const { status } = response;
    const value = parsed(text);
    const limited = status === 429 || codeIn(value) === 'RATELIMITED';
    if (limited) {
      const seconds = secondsOf(response.headers, clock.now());
      if (tries === MOST_TRIES || seconds > LONGEST_WAIT_SECONDS)
        return failed(
          `has had too many requests, and asks for ${seconds} s without one. Nothing is lost: run again then`,
        );
      await clock.sleep(seconds * 1000);
      continue;
    }
    if (status === 401 || codeIn(value) === 'AUTHENTICATION_ERROR')
      return failed(`doesn't know you (401): set ${service.variables} anew`);
    if (status === 403 || codeIn(value) === 'FORBIDDEN')
      return failed(
        `doesn't let you (403): ${service.variables} needs rights to read these issues and to change them`,
      );
    const why = errorIn(value);
    if (status < 200 || status >= 300 || why !== null)
      return failed(`answered ${status}${why === null ? '' : `: ${why}`}`);
    if (value === undefined && text !== '') return failed(`answered no JSON at ${new URL(url).host}`);
    return { ok: true, value };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the pause that a service asks for: the header has a date or seconds; without it, a few seconds. */
function secondsOf(headers: Headers, now: string): number {
  const named = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(named)) return Number(named);
  const until = Date.parse(named);
  return Number.isNaN(until) ? 5 : Math.max(0, Math.ceil((until - Date.parse(now)) / 1000));
}

type Errors = {
  readonly errorMessages?: unknown;
  readonly errors?: unknown;
};

function codeIn(value: unknown): unknown {
  const { errors } = (value ?? {}) as Errors;
  return Array.isArray(errors) ? errors[0]?.extensions?.code : undefined;
}

/** Returns a failed answer's message, at most one line. */
function errorIn(value: unknown): string | null {
  const { errorMessages, errors } = (value ?? {}) as Errors;
  const first = Array.isArray(errors) ? (errors[0]?.message ?? 'an error') : null;
  const named = Array.isArray(errorMessages) && errorMessages.length > 0 ? errorMessages[0] : first;
  return named === null ? null : String(named).replace(/\s+/g, ' ').slice(0, 300);
}
