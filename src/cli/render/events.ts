import type { InterventionEvent } from '../../domain/records/event.ts';
import { dateTime, type Terminal } from '../../io/ui/index.ts';

/** Events, one a line: when, iteration, task, severity, type. */
export function eventTable(events: readonly InterventionEvent[], { style, table }: Terminal): string {
  const paint = { critical: style.red, warning: style.yellow, info: style.dim };
  return table(
    events.map(({ timestamp, iteration, details, severity, event_type }) => [
      dateTime(timestamp),
      `#${iteration}`,
      String(details.task_id ?? ''),
      paint[severity](severity),
      event_type,
    ]),
  );
}
