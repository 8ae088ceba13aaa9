import type { AgentEvent } from '../domain/agent.ts';
import { isLimit } from '../domain/service.ts';
import { resetTime } from './reset-time.ts';
import { type ServiceAnswer, serviceKind } from './service.ts';

type Failure = Omit<ServiceAnswer, 'words'> & {
  readonly message: string;
  readonly fatal: boolean;
  /** When the line was written, epoch milliseconds; `null` where the line doesn't have it. */
  readonly at?: number | null;
  /** A reset time that came as a field, ISO 8601 UTC. */
  readonly resetsAt?: string | null;
};

const MESSAGE_LIMIT = 2000;

/** The events of one structured error: the error itself, and a limit before it when a limit ends the attempt. */
export function failureEvents(failure: Failure): readonly AgentEvent[] {
  const message = failure.message.slice(0, MESSAGE_LIMIT);
  const cause = serviceKind({ ...failure, words: message });
  const error: AgentEvent = { kind: 'error', cause, message, fatal: failure.fatal };
  if (!isLimit(cause) || !failure.fatal) return [error];
  const resetsAt = failure.resetsAt ?? resetTime(message, failure.at ?? null);
  const inWords = typeof failure.resetsAt !== 'string';
  return [{ kind: 'limit', message, resetsAt, inWords }, error];
}
