import type { Notification } from '../../../domain/notification.ts';
import type { Try } from '../channel.ts';
import type { Request } from '../sent.ts';

/** A message that reads as an answer to a request. */
export type Incoming = {
  readonly nonce: string;
  /** What was tapped or typed. */
  readonly answer: { readonly kind: 'choice' | 'words'; readonly text: string };
  /** Who said it, as far as the service knows. */
  readonly by: string;
  /** Says in the chat what became of it. `isOver`: the request takes no more answers. Never throws. */
  readonly reply: (text: string, isOver: boolean) => Promise<void>;
};

export type Reading = {
  /** Where the last reading ended; `null`: there was none. */
  readonly cursor: string | null;
  /** Whether to wait for messages, or to take those that are there. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
  readonly find: (is: (one: Request) => boolean) => Request | null;
  /**
   * Called for each message in order, and with `null` for a sign that the service works. `cursor`: where reading continues after
   * it; `null`: unchanged. False ends the reading.
   */
  readonly on: (incoming: Incoming | null, cursor: string | null) => Promise<boolean>;
};

export type ChatPlace = {
  /** Name of the repository, for messages. */
  readonly repository: string;
  /** Milliseconds until an answer of the service. */
  readonly tryMs: number;
};

/** A service in which messages can be answered. Nothing of it throws. */
export type Chat = {
  readonly name: 'telegram' | 'ntfy';
  /** False: its settings are wrong, which each delivery says. */
  readonly isUsable: boolean;
  readonly send: (notification: Notification, request: Request | null) => Promise<Try>;
  readonly read: (reading: Reading) => Promise<Try>;
};

/** Why a channel can't be used, as a delivery that failed. */
export function unusable(name: Chat['name'], error: string): Chat {
  const failed = async (): Promise<Try> => ({ ok: false, error, isRetryable: false });
  return { name, isUsable: false, send: failed, read: failed };
}
