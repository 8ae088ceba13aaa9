import { type Terminal, table, wrap } from '../../io/ui/index.ts';
import { formatDuration } from '../../lib/duration.ts';
import { stripControl } from '../../lib/text.ts';

type Row = Record<string, unknown>;

/** Files of an incident that are shown; all are in its report. */
const FILES_SHOWN = 20;
/** Moments that are shown, the newest. */
const MOMENTS_SHOWN = 25;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(said) : []);
const row = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {});
const said = (value: unknown): string =>
  value === null || value === undefined ? '' : stripControl(String(value));
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const words = (value: unknown): string => said(value).replaceAll('_', ' ');
const time = (value: unknown): string =>
  said(value)
    .replace('T', ' ')
    .replace(/(\.\d+)?Z$/, '');
const counted = (count: unknown, noun: string): string => `${said(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `ralph incidents`: the list, or the report of one. */
export function incidentsText(data: Row, terminal: Terminal): string {
  return data.report === undefined ? listText(data, terminal) : reportText(data, terminal);
}

function listText(data: Row, terminal: Terminal): string {
  const list = rows(data.incidents);
  if (list.length === 0) return 'There were no incidents.';
  const { style, width } = terminal;
  const lines = table(
    [
      ['id', 'when (UTC)', 'task', 'issue', 'severity', 'state'],
      ...list.map((one) => [
        said(one.id),
        time(one.at),
        said(one.task_id),
        said(one.issue),
        said(one.severity),
        one.resolved === null ? 'open' : said(row(one.resolved).option),
      ]),
    ],
    width,
  ).split('\n');
  const [head = '', ...body] = lines;
  const shown = body.map((line, index) => (list[index]?.resolved === null ? style.red(line) : line));
  const open = texts(data.open);
  const next =
    open.length === 0
      ? []
      : ['', ...open.map((id) => `Next: ralph incidents show ${id}, then ralph resume ${id}`)];
  return [style.dim(head), ...shown, ...next].join('\n');
}

function reportText(data: Row, terminal: Terminal): string {
  const { style, width } = terminal;
  const incident = row(data.incident);
  const report = row(data.report);
  const task = row(report.task);
  const impact = row(report.impact);
  const advice = row(report.recommendations);
  const resolved = incident.resolved === null ? null : row(incident.resolved);
  const state =
    resolved === null
      ? style.red('open')
      : `resolved with ${said(resolved.option)} at ${time(resolved.at)}${resolved.reason === '' ? '' : `: ${said(resolved.reason)}`}`;
  const body = (text: unknown) => `  ${wrap(said(text), width, '  ')}`;
  const points = (list: unknown, mark: (index: number) => string = () => '- ') =>
    texts(list).map((text, index) => {
      const before = `  ${mark(index)}`;
      return `${before}${wrap(text, width, ' '.repeat(before.length))}`;
    });
  return [
    `${style.bold(said(report.id))} ${words(row(report.issue).type)}, ${said(report.severity)}: ${state}`,
    `  ${wrap(`${time(report.at)} UTC, task ${said(task.id)} (${said(task.title)}), iteration ${said(report.iteration)}, ${said(report.agent)}`, width, '  ')}`,
    '',
    body(report.summary),
    ...section('What happened', moments(rows(report.timeline), terminal), style.bold),
    ...section('What it touched and used', impactLines(impact, terminal), style.bold),
    ...section('Why', [body(report.root_cause), ...points(report.contributing_factors)], style.bold),
    ...section(
      'What to do now',
      points(advice.immediate, (index) => `${index + 1}. `),
      style.bold,
    ),
    ...section('What keeps it from happening again', points(advice.preventive), style.bold),
    ...section('Settings that have to do with it', points(advice.configuration), style.bold),
    ...(resolved === null
      ? section('How to go on: choose one', optionLines(report.recovery_options, terminal), style.bold)
      : []),
    '',
    style.dim(`All of it, with the last actions: ${said(data.path)}`),
  ].join('\n');
}

function section(title: string, lines: readonly string[], bold: (text: string) => string): string[] {
  return lines.length === 0 ? [] : ['', bold(title), ...lines];
}

function moments(list: readonly Row[], { width, style }: Terminal): string[] {
  const shown = list.slice(-MOMENTS_SHOWN);
  const hidden = list.length - shown.length;
  const indent = ' '.repeat(23);
  return [
    ...(hidden === 0 ? [] : [style.dim(`  (${counted(hidden, 'earlier moment')} in the report)`)]),
    ...shown.map(({ at, what }) => `  ${time(at).padEnd(19)}  ${wrap(said(what), width, indent)}`),
  ];
}

function impactLines(impact: Row, { width, style }: Terminal): string[] {
  const files = rows(impact.files);
  const used = row(impact.resources);
  const memory = number(used.memoryMb) === 0 ? [] : [`${Math.round(number(used.memoryMb))} MiB of memory`];
  const sums = [
    counted(files.length, 'file'),
    counted(used.fileOperations, 'file operation'),
    ...memory,
    ...(number(used.tokens) === 0 ? [] : [counted(used.tokens, 'token')]),
    formatDuration(number(impact.duration_ms)),
  ];
  const hidden = files.length - FILES_SHOWN;
  return [
    `  ${wrap(sums.join(', '), width, '  ')}`,
    ...files
      .slice(0, FILES_SHOWN)
      .map(({ path, change }) => `  ${wrap(`${said(path)}: ${said(change)}`, width, '    ')}`),
    ...(hidden > 0 ? [style.dim(`  (${counted(hidden, 'more file')} in the report)`)] : []),
  ];
}

function optionLines(options: unknown, { style, width }: Terminal): string[] {
  return rows(options).flatMap(({ description, command, possible }) => [
    `  ${wrap(said(description), width, '  ')}`,
    // Never broken: it is there to be copied.
    possible === true ? `    ${style.cyan(said(command))}` : style.dim('    (cannot be chosen)'),
  ]);
}

/** `ralph resume`: what there is to choose from, or what came of the choice. */
export function resumeText(data: Row, terminal: Terminal): string {
  const { style, width } = terminal;
  if (data.options !== undefined) {
    const incident = row(data.incident);
    return [
      `${style.bold(said(incident.id))} ${words(incident.issue)}, ${said(incident.severity)}, task ${said(incident.task_id)}`,
      `  ${wrap(said(incident.summary), width, '  ')}`,
      '',
      'No run goes on before you have chosen:',
      ...optionLines(data.options, terminal),
      '',
      `The whole report: ralph incidents show ${said(incident.id)}`,
    ].join('\n');
  }
  const lines = [
    `${style.green('✔')} ${style.bold(said(data.incident))} is resolved with ${said(data.option)}.`,
  ];
  for (const text of holdsNow(data)) lines.push(`  ${wrap(text, width, '  ')}`);
  for (const { what, done, items } of rows(data.cleanup)) {
    const mark = done === true ? style.green('✔') : style.yellow('!');
    lines.push(
      `  ${mark} ${wrap(said(what), width, '    ')}`,
      ...texts(items).map((item) => `      ${item}`),
    );
  }
  for (const text of texts(data.warnings)) lines.push(style.yellow(`  ${wrap(text, width, '  ')}`));
  const open = texts(data.still_open);
  if (open.length > 0)
    lines.push(style.yellow(`Still open: ${open.join(', ')}. No run goes on before that.`));
  return [...lines, nextLine(data)].join('\n');
}

function holdsNow({ option, task_id, limits, rollback }: Row): string[] {
  const task = said(task_id);
  if (option === 'resume_with_limits') {
    return [
      `Until ${task} is done: ${limitsSaid(row(limits))}.`,
      'Its agent may read, write files of the project, and run commands that only look or are gates. It is not started where its actions cannot be held back.',
    ];
  }
  if (option === 'rollback_and_retry') {
    const { checkpoint, changed, kept, reopened, warnings } = row(rollback);
    return [
      `The files are as they were at checkpoint ${said(checkpoint)} (${counted(changed, 'path')} changed); ${task} begins anew.`,
      ...(texts(kept).length === 0 ? [] : [`What they held is kept: ${texts(kept).join(', ')}.`]),
      ...(texts(reopened).length === 0 ? [] : [`Open again: ${texts(reopened).join(', ')}.`]),
      ...texts(warnings),
    ];
  }
  return option === 'manual_intervention'
    ? [`${task} waits for you, and runs leave it alone. The others go on with: ralph run`]
    : [`${task} is blocked.`];
}

function limitsSaid(limits: Row): string {
  const parts = [
    ['file_operations', (value: number) => `${value} file operations`],
    ['memory_mb', (value: number) => `${value} MiB of memory`],
    ['tokens', (value: number) => `${value} tokens`],
    ['execution_seconds', (value: number) => formatDuration(value * 1000)],
    ['batch_size', (value: number) => `${value} criteria at a time`],
  ] as const;
  const set = parts.flatMap(([name, text]) => (number(limits[name]) > 0 ? [text(number(limits[name]))] : []));
  return set.length === 0
    ? 'no limits are known that could be halved'
    : `at most ${set.join(', ')} an attempt`;
}

function nextLine({ option, task_id, next }: Row): string {
  const waits =
    (option === 'manual_intervention' || option === 'abort') && said(next).endsWith(said(task_id));
  return waits ? `To give ${said(task_id)} back to the agent: ${said(next)}` : `Next: ${said(next)}`;
}
