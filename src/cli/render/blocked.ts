import { type Terminal, table, wrap } from '../../io/ui/index.ts';
import { formatDuration } from '../../lib/duration.ts';
import { stripControl } from '../../lib/text.ts';

type Row = Record<string, unknown>;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const said = (value: unknown): string =>
  value === null || value === undefined ? '' : stripControl(String(value));
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const words = (value: unknown): string => said(value).replaceAll('_', ' ');

/** `ralph blocked`: a table; with `--suggest` what to do about each. */
export function blockedText(data: Row, terminal: Terminal): string {
  const list = rows(data.blocked);
  const waiting = rows(data.waiting);
  if (list.length === 0) return 'No task is blocked.';
  const parts = list.some(({ suggestion }) => suggestion !== undefined)
    ? list.map((task) => suggestionText(task, terminal))
    : [blockedTable(list, terminal)];
  if (waiting.length > 0) parts.push(waitingText(waiting, terminal));
  if (list.every(({ suggestion }) => suggestion === undefined)) {
    parts.push(terminal.style.dim('What to do about them: ralph blocked --suggest'));
  }
  return parts.join('\n\n');
}

function blockedTable(list: readonly Row[], { style, width }: Terminal): string {
  const head = ['task', 'reason', 'attempts', 'spent', 'title'];
  const body = list.map((task) => [
    said(task.id),
    words(task.reason),
    said(task.attempts),
    number(task.attempts) === 0 ? '-' : formatDuration(number(task.spent_ms)),
    said(task.title),
  ]);
  const [first = '', ...others] = table([head, ...body], width).split('\n');
  return [style.dim(first), ...others].join('\n');
}

function suggestionText(task: Row, { style, width }: Terminal): string {
  const suggestion = (task.suggestion ?? {}) as Row;
  const attempts = number(task.attempts);
  const spent =
    attempts === 0
      ? ''
      : `, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${formatDuration(number(task.spent_ms))} spent`;
  const head = `${style.red('✖')} ${style.bold(said(task.id))} ${words(task.reason)}${spent}`;
  const first = suggestion.first == null ? [] : [`  first: ${wrap(said(suggestion.first), width, '    ')}`];
  return [
    head,
    `  ${wrap(said(task.title), width, '  ')}`,
    `  ${style.bold(said(suggestion.strategy))}`,
    `  ${wrap(said(suggestion.reason), width, '  ')}`,
    ...first,
    // Never broken: it is there to be copied.
    `  ${style.cyan(said(suggestion.command))}`,
  ].join('\n');
}

/** Tasks that wait for blocked ones, named up to a bound. */
const WAITING_SHOWN = 10;

function waitingText(waiting: readonly Row[], { width }: Terminal): string {
  const lines = waiting
    .slice(0, WAITING_SHOWN)
    .map(({ id, waits_for }) =>
      wrap(`${said(id)} waits for ${(waits_for as unknown[]).map(said).join(', ')}`, width, '  '),
    );
  if (waiting.length > WAITING_SHOWN) lines.push(`and ${waiting.length - WAITING_SHOWN} more wait`);
  return lines.join('\n');
}

export function unblockText(data: Row, { style, width }: Terminal): string {
  const list = rows(data.unblocked);
  const lines = rows(data.warnings).map((warning) => style.yellow(`! ${wrap(said(warning), width, '  ')}`));
  for (const { id, title, timeout_seconds } of list) {
    const timeout =
      timeout_seconds === null ? '' : ` with up to ${formatDuration(number(timeout_seconds) * 1000)}`;
    lines.push(`${style.green('✔')} ${style.bold(said(id))} is unblocked${timeout}: ${said(title)}`);
  }
  lines.push(
    data.mark === 'left_to_the_run'
      ? 'The run that goes on takes it up when its turn comes.'
      : 'Next: ralph run',
  );
  return lines.join('\n');
}

/** Behind the summary of the run: what was not retried, and why. */
export function retryText(data: Row, { style, width }: Terminal): string {
  const left = rows(data.not_retried);
  if (rows(data.retried).length === 0 && left.length === 0) return 'No task is blocked.';
  if (left.length === 0) return '';
  return [
    '',
    'Not retried, as they need you first:',
    ...left.flatMap(({ id, strategy, why, command }) => [
      `  ${style.bold(said(id))} ${said(strategy)}: ${wrap(said(why), width, '    ')}`,
      `    ${style.cyan(said(command))}`,
    ]),
  ].join('\n');
}
