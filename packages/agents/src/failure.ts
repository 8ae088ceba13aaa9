import { type AgentEvent, isLimit, type Retry } from './event.ts';
import { resetTime } from './reset-time.ts';
import { type ServiceAnswer, serviceKind, statusOf } from './service.ts';

type Failure = Omit<ServiceAnswer, 'words'> & {
  readonly message: string;
  readonly fatal: boolean;
  /** Time of the line in epoch milliseconds; `null` when it has none. */
  readonly at?: number | null;
  /** Reset time from a field, ISO 8601 UTC. */
  readonly resetsAt?: string | null;
  /** How the program retries the request; absent if it doesn't. */
  readonly retry?: Partial<Omit<Retry, 'status'>>;
};

const MESSAGE_LIMIT = 2000;

/** Returns the events of a structured error, with a limit before the error when a limit ends the attempt. */
export function failureEvents(failure: Failure): readonly AgentEvent[] {
  const message = failure.message.slice(0, MESSAGE_LIMIT);
  const kind = serviceKind({ ...failure, words: message });
  // A retried request wasn't an answer to the work.
  const cause = kind === 'other' && failure.retry !== undefined ? 'outage' : kind;
  const { retry } = failure;
  const again =
    retry === undefined
      ? {}
      : {
          retry: { attempt: null, of: null, inMs: null, ...retry, status: statusOf(failure.status, message) },
        };
  const error: AgentEvent = { kind: 'error', cause, message, fatal: failure.fatal, ...again };
  if (!isLimit(cause) || !failure.fatal) return [error];
  const resetsAt = failure.resetsAt ?? resetTime(message, failure.at ?? null);
  const inWords = typeof failure.resetsAt !== 'string';
  return [{ kind: 'limit', message, resetsAt, inWords }, error];
}
