import type { Box } from 'ralph-box';
import { snakeKeys } from 'ralph-kit/snake-keys';
import type { Config } from '../../domain/config.ts';
import type { Notification } from '../../domain/notification.ts';
import type { Clock, Delivery } from '../../domain/ports.ts';
import type { Request } from './sent.ts';

/**
 * Services in which messages can be answered; `null`: the service isn't used. Tokens and topics: '' where
 * none is set.
 */
export type ChatSettings = {
  readonly telegram: { readonly chat: number; readonly token: string; readonly server: string } | null;
  readonly ntfy: { readonly server: string; readonly topic: string; readonly token: string } | null;
};

export const NO_CHATS: ChatSettings = { telegram: null, ntfy: null };

export type NotifyOptions = {
  readonly settings: Config['notify'];
  /**
   * Names of the channels that get an emergency stop. All channels get it where the list is empty or none of
   * its names is a channel.
   */
  readonly ofStops: Config['interventions']['notification_channels'];
  readonly clock: Clock;
  /** Absolute top of the repository: commands are run there. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** The box of commands that run a file of the repository; `null`: there is no box. */
  readonly box: Box | null;
  readonly runsRepository: (command: string) => boolean;
  /** Milliseconds for one try to deliver a message; absent: `TRY_MS`. */
  readonly tryMs?: number;
  /** Whether you may be sitting in front of the terminal. */
  readonly atTerminal: boolean;
  readonly chats: ChatSettings;
  /**
   * Absolute path of the file that lists the messages sent so far; `null`: nothing is remembered across runs.
   */
  readonly sentFile: string | null;
};

/** The longest time of one try to deliver a message, in milliseconds. */
export const TRY_MS = 10_000;

/**
 * The result of one try to deliver or to read. `isRetryable`: another try may succeed; `afterMs`: not before this time, if
 * the service asks for it. `id`: of the message in its service; absent: it has none. An error names neither an address
 * nor a token: both are secrets.
 */
export type Try =
  | { readonly ok: true; readonly id?: string }
  | { readonly ok: false; readonly error: string; readonly isRetryable: boolean; readonly afterMs?: number };

/**
 * A way to notify you. It needs a function that returns one from `NotifyOptions`, a line in `channelsOf` and a name in
 * `Delivery`; test/integration/notify/channels.test.ts holds every channel to what its members promise.
 */
export type Channel = {
  readonly name: Delivery['channel'];
  /** Returns whether the channel gets a notification; absent: it gets all. */
  readonly wants?: (notification: Notification) => boolean;
  /**
   * Sends a notification once and resolves within `tryMs`; more tries are `openNotify`'s.
   * @param request Record of the message, whose nonce an answer repeats; `null`: nothing waits for an answer.
   */
  readonly attempt: (notification: Notification, request: Request | null) => Promise<Try>;
};

/** A channel in which messages can be answered. */
export type Chat = Channel & {
  readonly name: ChatName;
  /** Whether the chat's settings are right; each delivery reports if they aren't. */
  readonly isUsable: boolean;
  /** Reads messages and calls `on` for each; ends when `on` returns false or `signal` fires. */
  readonly read: (reading: Reading) => Promise<Try>;
};
export type ChatName = keyof ChatSettings;

/** Returns the result of a try that threw. */
export function thrown(error: unknown): Try {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, error: message, isRetryable: true };
}

/** Returns the chat in place of one whose settings are wrong, which fails with the reason. */
export function unusable(name: ChatName, error: string): Chat {
  const failed = async (): Promise<Try> => ({ ok: false, error, isRetryable: false });
  return { name, isUsable: false, attempt: failed, read: failed };
}

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

/** Returns the notification as other programs read it; its keys have a defined order. */
export function notificationDocument(notification: Notification): object {
  const { kind, at, run, taskId, incident, severity, title, text, next, result } = notification;
  return {
    schema: 'ralph.notification.v1',
    kind,
    at,
    run,
    task_id: taskId,
    incident,
    severity,
    title,
    text,
    next,
    result: snakeKeys(result),
  };
}

/** Returns a notification as a text for the user, without its title. */
export function notificationText({ taskId, incident, run, text, next }: Notification): string {
  const about = [`run ${run}`];
  if (taskId !== null) about.push(`task ${taskId}`);
  if (incident !== null) about.push(`incident ${incident}`);
  const commands = next.length === 0 ? [] : ['', 'Next:', ...next.map((command) => `  ${command}`)];
  return [text.trimEnd(), '', `(${about.join(', ')})`, ...commands].join('\n');
}
