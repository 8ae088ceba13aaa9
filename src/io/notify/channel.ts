import { snakeKeys } from 'ralph-kit/snake-keys';
import type { Config } from '../../domain/config.ts';
import type { Notification } from '../../domain/notification.ts';
import type { Clock, Delivery } from '../../domain/ports.ts';
import type { Box } from '../box/index.ts';
import type { Request } from './sent.ts';

/** Services in which messages can be answered; `null`: it isn't used. Tokens and topics: '' where none is set. */
export type ChatSettings = {
  readonly telegram: { readonly chat: number; readonly token: string; readonly server: string } | null;
  readonly ntfy: { readonly server: string; readonly topic: string; readonly token: string } | null;
};

export const NO_CHATS: ChatSettings = { telegram: null, ntfy: null };

export type NotifyOptions = {
  readonly settings: Config['notify'];
  /** Those that are told of an emergency stop; empty, or none of them is set: all. */
  readonly ofStops: Config['interventions']['notification_channels'];
  readonly clock: Clock;
  /** The repository: commands are run there. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** What commands run in that run something of the repository; `null`: there is no box. */
  readonly box: Box | null;
  readonly runsRepository: (command: string) => boolean;
  /** For one try; absent: `TRY_MS`. */
  readonly tryMs?: number;
  /** You may be sitting in front of it. */
  readonly atTerminal: boolean;
  readonly chats: ChatSettings;
  /** Absolute path of the file that says what was sent already; `null`: nothing is remembered. */
  readonly sentFile: string | null;
};

/** The longest time of one try. */
export const TRY_MS = 10_000;

/**
 * What became of one try. `again`: another one may get through; `afterMs`: as soon as the service asks for it. `id`: of the
 * message that was made; absent: it has none.
 */
export type Try =
  | { readonly ok: true; readonly id?: string }
  | { readonly ok: false; readonly error: string; readonly again: boolean; readonly afterMs?: number };

/** A way to notify you. */
export type Channel = {
  readonly name: Delivery['channel'];
  /** Absent: all of them are. */
  readonly wants?: (notification: Notification) => boolean;
  /** Never throws. */
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

/** The same for the user, without the title. */
export function notificationText({ taskId, incident, run, text, next }: Notification): string {
  const about = [`run ${run}`];
  if (taskId !== null) about.push(`task ${taskId}`);
  if (incident !== null) about.push(`incident ${incident}`);
  const commands = next.length === 0 ? [] : ['', 'Next:', ...next.map((command) => `  ${command}`)];
  return [text.trimEnd(), '', `(${about.join(', ')})`, ...commands].join('\n');
}
