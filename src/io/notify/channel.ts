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
 * The result of one try to deliver a message. `isRetryable`: another try may succeed; `afterMs`: not before this
 * time, if the service asks for it. `id`: of the message in its service; absent: it has none.
 */
export type Try =
  | { readonly ok: true; readonly id?: string }
  | { readonly ok: false; readonly error: string; readonly isRetryable: boolean; readonly afterMs?: number };

/** A way to notify you. */
export type Channel = {
  readonly name: Delivery['channel'];
  /** Types of notifications that the channel gets; absent: all types. */
  readonly wants?: (notification: Notification) => boolean;
  /** Sends a notification. Never throws: a failure is in the result. */
  readonly attempt: (notification: Notification, request: Request | null) => Promise<Try>;
};

/** The notification as other programs read it: one JSON document, keys in a defined order. */
export function notificationDocument(notification: Notification): string {
  const { kind, at, run, taskId, incident, severity, title, text, next, result } = notification;
  return JSON.stringify({
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
  });
}

/** Returns a notification as a text for the user, without its title. */
export function notificationText({ taskId, incident, run, text, next }: Notification): string {
  const about = [`run ${run}`];
  if (taskId !== null) about.push(`task ${taskId}`);
  if (incident !== null) about.push(`incident ${incident}`);
  const commands = next.length === 0 ? [] : ['', 'Next:', ...next.map((command) => `  ${command}`)];
  return [text.trimEnd(), '', `(${about.join(', ')})`, ...commands].join('\n');
}
