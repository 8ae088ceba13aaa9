import { displayWidth } from 'ralph-kit/columns';
import { firstFew, onOneLine } from 'ralph-kit/text';
import type { Failing } from '../../domain/records/state.ts';
import type { DoneTask, RunReport, UnfinishedTask } from '../../domain/run-report.ts';
import { workText } from '../../domain/work-place.ts';
import {
  doneFacts,
  failingHead,
  type Item,
  type Morning,
  morningOf,
  notStartedText,
  TITLES,
  withLocalTimes,
} from '../../tell/index.ts';
import type { Terminal } from './terminal.ts';

/** Tasks of one group that a terminal shows; output to a file or program has all. */
const SHOWN = 20;

/** Returns the report of a run: what is done, what needs you and why, what to run next. */
export function reportText(report: RunReport, terminal: Terminal): string {
  const { style, para } = terminal;
  const morning = morningOf(report, new Date());
  const { needs, open, notStarted, details, unchecked } = morning;
  const sections = [
    headLines(report, morning, terminal),
    section(TITLES.needs, itemLines(needs, terminal), terminal),
    section(TITLES.open, [...itemLines(open, terminal), ...openLine(notStarted)], terminal),
    section(TITLES.done, doneLines(report.doneInRun, terminal), terminal),
    section(
      TITLES.details,
      details.map(({ text, isWarning }) => {
        const line = para(onOneLine(text), '  ', '    ');
        return isWarning ? style.yellow(line) : line;
      }),
      terminal,
    ),
    nextLines(report.next, terminal),
    // The warning comes last, as readers remember the last line.
    unchecked === null ? [] : [style.yellow(para(unchecked, '! '))],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headLines(report: RunReport, morning: Morning, { style, para }: Terminal): string[] {
  const { headline, counts, tree, facts } = morning;
  const paint = { green: style.green, red: style.red, unknown: style.dim }[report.tree.state];
  const isLanded =
    report.ending === 'all_done' && report.notCommitted.length === 0 && report.unchecked.length === 0;
  const headColor = isLanded ? style.green : style.yellow;
  return [
    style.bold(headColor(para(headline))),
    ...(counts === null ? [] : [para(counts)]),
    paint(para(tree)),
    style.dim(para(facts)),
  ];
}

function section(title: string, lines: readonly string[], { style }: Terminal): string[] {
  return lines.length === 0 ? [] : [style.bold(title), ...lines];
}

/**
 * Tasks that aren't done or need you: each cause once, with its tasks, their work, and the commands that
 * help.
 */
export function itemLines(items: readonly Item[], terminal: Terminal): string[] {
  const { style, para, live } = terminal;
  const now = new Date();
  const shown = live ? items.slice(0, SHOWN) : items;
  const lines = shown.flatMap(({ mark, tasks, cause, excerpt, steps, work, commands }) => {
    const sign = { blocked: style.red('✖'), you: style.yellow('!'), open: style.yellow('–') }[mark];
    const why = withLocalTimes(cause, now);
    return [
      ...tasks.map(({ id, title }) => para(`${id} ${title}`, `  ${sign} `)),
      tasks.length === 0 ? para(why, `  ${sign} `) : para(why, '      '),
      ...excerpt.map((line) => style.red(para(line, '        ', '          '))),
      ...steps.map((step, at) => para(step, `      ${at + 1}. `)),
      // A command is never wrapped, so that it can be copied.
      ...work.map((place) => `      ${workText(place)}`),
      ...commands.map((command) => `      ${style.cyan(command)}`),
    ];
  });
  return [...lines, ...moreLine(items.length - shown.length, 'ralph tasks')];
}

function moreLine(count: number, command: string): string[] {
  return count > 0 ? [`  and ${count} more: ${command}`] : [];
}

/** Tasks that wait for others and are named; more are only counted. */
const WAITING_NAMED = 5;

function openLine(tasks: readonly UnfinishedTask[]): string[] {
  if (tasks.length === 0) return [];
  const waiting = tasks.filter(({ waitsFor }) => waitsFor.length > 0);
  if (waiting.length === tasks.length && waiting.length <= WAITING_NAMED) {
    return waiting.map(({ id, title, waitsFor }) => `  – ${id} ${title}: waits for ${firstFew(waitsFor)}`);
  }
  return [`  – ${notStartedText(tasks)}: ralph tasks`];
}

function doneLines(tasks: readonly DoneTask[], terminal: Terminal): string[] {
  const { style, para, live } = terminal;
  const shown = live ? tasks.slice(0, SHOWN) : tasks;
  const lines = shown.flatMap((task) => [
    para(`${task.id} ${task.title} ${doneFacts(task)}`, `  ${style.green('✔')} `),
    ...task.signs.map((sign) => para(onOneLine(sign), `      ${style.yellow('!')} `)),
  ]);
  return [...lines, ...moreLine(tasks.length - shown.length, 'ralph report --format markdown')];
}

/** Commands side by side where they fit; they are there to be copied, so none is broken. */
export function nextLines(commands: readonly string[], { style, width }: Terminal): string[] {
  if (commands.length === 0) return [];
  const line = `Next: ${commands.join('   ')}`;
  const shown = displayWidth(line) <= width ? line : `Next: ${commands.join('\n      ')}`;
  return [shown.replace('Next:', style.bold('Next:'))];
}

/** The output that failed an attempt, below the reason why its task isn't done. */
export function failingLines(
  failing: Failing | null,
  { style, para }: Pick<Terminal, 'style' | 'para'>,
  indent: string,
): string[] {
  if (failing === null) return [];
  return [
    para(`${failingHead(failing)}:`, indent),
    ...failing.lines.map((line) => style.red(para(line, `${indent}  `, `${indent}    `))),
  ];
}
