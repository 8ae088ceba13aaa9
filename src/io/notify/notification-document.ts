import type { Notification } from '../../domain/ports.ts';
import { snakeKeys } from '../../lib/snake-keys.ts';

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
