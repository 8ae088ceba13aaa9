import type { Notification } from '../../../domain/notification.ts';
import type { Try } from '../channel.ts';
import type { Request } from '../sent.ts';

/** A message that reads as an answer to a request. */
export type Incoming = {
  readonly nonce: string;
  /** The choice whose button you tapped, or the text that you typed. */
  readonly answer: { readonly kind: 'choice' | 'words'; readonly text: string };
  /** Who answered, as far as the service knows. */
  readonly by: string;
  /**
   * Writes into the chat whether the answer counted. `isOver`: the request takes no more answers. Never
   * throws.
   */
  readonly reply: (text: string, isOver: boolean) => Promise<void>;
};

export type Reading = {
  /** Where the last reading of the chat ended; `null`: it was never read. */
  readonly cursor: string | null;
  /** Whether to wait for new messages, or to read only those that have arrived. */
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

/** A service in which messages can be answered. None of its functions throws. */
export type Chat = {
  readonly name: 'telegram' | 'ntfy';
  /** Whether the chat's settings are right; each delivery reports if they aren't. */
  readonly isUsable: boolean;
  readonly send: (notification: Notification, request: Request | null) => Promise<Try>;
  readonly read: (reading: Reading) => Promise<Try>;
};

/** Why a channel can't be used, as a delivery that failed. */
export function unusable(name: Chat['name'], error: string): Chat {
  const failed = async (): Promise<Try> => ({ ok: false, error, again: false });
  return { name, isUsable: false, send: failed, read: failed };
}
