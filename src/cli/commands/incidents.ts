import { Argument, type Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import type { IncidentsInput, IncidentsResult } from '../../app/commands/incidents.ts';
import { resumeCommand } from '../../domain/incident.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { dateTime, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { optionLines } from '../render/incident-options.ts';

export const examples: Examples = {
  incidents: ['incidents', 'incidents show INC-1'],
};

export function define(program: Command): void {
  program
    .command('incidents')
    .addArgument(new Argument('[action]', 'list them, or show one').choices(['list', 'show']).default('list'))
    .argument('[id]', 'to show: INC-3 or 3; the open one by default')
    .action(actionOf(run, false));
}

export async function run(call: Call, action: IncidentsInput['action'], id: string | null = null) {
  const { incidents } = await import('../../app/commands/incidents.ts');
  await call.print(await incidents({ ...call, action, id }), incidentsText);
}

/** Maximum number of files that are shown. The report file has all. */
const FILES_SHOWN = 20;
/** Maximum number of moments of the timeline that are shown: the newest ones. */
const MOMENTS_SHOWN = 25;

type Shown = Extract<IncidentsResult, { report: unknown }>;
type Report = Shown['report'];

export function incidentsText(data: IncidentsResult, terminal: Terminal): string {
  return 'report' in data ? reportText(data, terminal) : listText(data, terminal);
}

function listText({ incidents, open }: Exclude<IncidentsResult, Shown>, { style, table }: Terminal): string {
  if (incidents.length === 0) return 'There were no incidents.';
  const rows = incidents.map(({ id, at, task_id, issue, severity, resolved }) => [
    id,
    dateTime(at),
    task_id,
    words(issue),
    severity,
    resolved === null ? 'open' : words(resolved.option),
  ]);
  const [head, ...body] = table(rows, ['id', 'when', 'task', 'issue', 'severity', 'state']).split('\n');
  const shown = body.map((line, index) => (incidents[index]?.resolved === null ? style.red(line) : line));
  const next = open.map((id) => `Next: ${resumeCommand(id)}`);
  return [head, ...shown, ...(next.length === 0 ? [] : ['', ...next])].join('\n');
}

function reportText({ incident: { resolved }, report, path }: Shown, terminal: Terminal): string {
  const { style, para } = terminal;
  const { id, issue, severity, at, task, iteration, agent, recommendations: advice } = report;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.bold(title), ...lines];
  const points = (list: readonly string[]) => list.map((text) => para(text, '  - '));
  const state =
    resolved === null
      ? style.red('open')
      : `resolved with ${resolved.option} at ${dateTime(resolved.at)}${resolved.reason === '' ? '' : `: ${resolved.reason}`}`;
  return [
    `${style.bold(id)} ${words(issue.type)}, ${severity}: ${state}`,
    para(`${dateTime(at)}, task ${task.id} (${task.title}), iteration ${iteration}, ${agent}`, '  '),
    '',
    para(report.summary, '  '),
    ...section('What happened', moments(report.timeline, terminal)),
    ...section('What it touched and used', impactLines(report.impact, terminal)),
    ...section('Why', [para(report.root_cause, '  '), ...points(report.contributing_factors)]),
    ...section(
      'What to do now',
      advice.immediate.map((text, index) => para(text, `  ${index + 1}. `)),
    ),
    ...section(
      'Recovery plan',
      report.recovery_plan.map((text, index) => para(text, `  ${index + 1}. `)),
    ),
    ...section('What keeps it from happening again', points(advice.preventive)),
    ...section('Related settings', points(advice.configuration)),
    ...(resolved === null
      ? section('Choose how to continue', optionLines(report.recovery_options, terminal))
      : []),
    '',
    style.dim(`All of it, with the last actions: ${path}`),
  ].join('\n');
}

function moments(timeline: Report['timeline'], { para, style }: Terminal): string[] {
  const hidden = timeline.length - MOMENTS_SHOWN;
  return [
    ...(hidden > 0 ? [style.dim(`  (${counted(hidden, 'earlier moment')} in the report)`)] : []),
    ...timeline.slice(-MOMENTS_SHOWN).map(({ at, what }) => para(what, `  ${dateTime(at)}  `)),
  ];
}

function impactLines(
  { files, resources, duration_ms }: Report['impact'],
  { para, style }: Terminal,
): string[] {
  const { fileOperations, memoryMb, tokens } = resources;
  const sums = [
    counted(files.length, 'file'),
    counted(fileOperations, 'file operation'),
    ...(memoryMb === 0 ? [] : [`${Math.round(memoryMb)} MiB of memory`]),
    ...(tokens === 0 ? [] : [counted(tokens, 'token')]),
    formatDuration(duration_ms),
  ];
  const hidden = files.length - FILES_SHOWN;
  return [
    para(sums.join(', '), '  '),
    ...files.slice(0, FILES_SHOWN).map(({ path, change }) => para(`${path}: ${change}`, '  ', '    ')),
    ...(hidden > 0 ? [style.dim(`  (${counted(hidden, 'more file')} in the report)`)] : []),
  ];
}
