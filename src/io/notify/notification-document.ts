import type { Notification } from '../../domain/ports.ts';

/** The notification as other programs read it: one JSON document, keys in a defined order. */
export function notificationDocument(notification: Notification): string {
  const { kind, at, run, taskId, incident, severity, title, text, next } = notification;
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
