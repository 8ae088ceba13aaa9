import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { fenced, inlineCode, plainMarkdown } from 'ralph-kit/markdown';
import { type Item, needItems, openItems } from '../../domain/report-items.ts';
import {
  type DoneTask,
  type RunReport,
  type UnfinishedTask,
  uncheckedText,
} from '../../domain/run-report.ts';
import { type WorkPlace, workText } from '../../domain/work-place.ts';
import { spentText } from './policy-text.ts';
import { detailTexts, factsText, mutantsText, treeText } from './run-report.ts';
import { withLocalTimes } from './times.ts';

/**
 * Returns the report of a run as Markdown, for a pull request or a chat; it has everything that the report
 * has.
 */
export function reportMarkdown(report: RunReport): string {
  const now = new Date();
  const of = (group: UnfinishedTask['group']) => report.unfinished.filter((task) => task.group === group);
  const unchecked = uncheckedText(report.unchecked, true);
  const { headline, counts } = report;
  const items = (all: readonly Item[]) => all.map((item) => itemText(item, report));
  const parts = [
    `## ${plainMarkdown(withLocalTimes(headline, now))}`,
    [...(headline.includes(counts) ? [] : [counts]), treeText(report), factsText(report, now)]
      .map(plainMarkdown)
      .join('  \n'),
    ...section('Needs you', items(needItems(report)).join('\n')),
    ...section('Not done', [...items(openItems(of('attempted'))), ...openItem(of('not_started'))].join('\n')),
    ...section('Done in this run', doneTable(report.doneInRun)),
    ...section('Details', detailItems(report).join('\n')),
    ...section('Next', report.next.length === 0 ? '' : fenced(report.next.join('\n'), 'sh')),
    ...(unchecked === null ? [] : [plainMarkdown(unchecked)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, content: string): string[] {
  return content === '' ? [] : [`### ${title}`, content];
}

function itemText({ tasks, cause, excerpt, steps, work, commands }: Item, report: RunReport): string {
  const heads = tasks.map(({ id, title }) => `**${plainMarkdown(id)}** ${plainMarkdown(title)}`);
  const why = withOwnLink(report, withLocalTimes(cause, new Date()));
  const lines = [
    ...excerpt.map((line) => `  - ${inlineCode(line)}`),
    ...steps.map((step) => `  1. ${plainMarkdown(step)}`),
    ...work.map((place) => `  - ${withCommand(place, inlineCode)}`),
    ...commands.map((command) => `  - ${inlineCode(command)}`),
  ];
  return [`- ${[...heads, why].join('  \n  ')}`, ...lines].join('\n');
}

/** Where work lies, with its command set apart by `drawn`. */
function withCommand(place: WorkPlace, drawn: (command: string) => string): string {
  return place.kind === 'none' ? '' : (workText({ ...place, command: drawn(place.command) }) ?? '');
}

function openItem(tasks: readonly UnfinishedTask[]): string[] {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => plainMarkdown(id)).join(', ');
  return [`- ${counted(tasks.length, 'task')} not started: ${ids}`];
}

function doneTable(tasks: readonly DoneTask[]): string {
  if (tasks.length === 0) return '';
  const rows = tasks.map((task) => {
    const { id, title, commits, branch, attempts, falseClaims, durationMs, grade, mutants } = task;
    const on = branch === null ? '' : ` on ${inlineCode(branch)}`;
    const ids = commits.map((one) => inlineCode(one.slice(0, 10))).join(' ');
    const commit = commits.length === 0 ? 'not committed' : `${ids}${on}`;
    const proof = mutants === null ? grade : `${grade}, ${mutantsText(mutants)}`;
    const cells = [
      plainMarkdown(id),
      plainMarkdown(title),
      commit,
      String(attempts),
      String(falseClaims),
      proof,
    ];
    return [...cells, formatDuration(durationMs), spentText(task.spent)];
  });
  const head = ['task', 'title', 'commit', 'attempts', 'false claims', 'proof', 'time', 'tokens'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function detailItems(report: RunReport): string[] {
  const { doneInRun } = report;
  const texts = [
    ...doneInRun.flatMap(({ id, criteria }) =>
      criteria.map(
        ({ text, standing: status, why }) =>
          `${id}: ${text} (${status === 'shown' ? `shown: ${why}` : status.replace('_', ' ')})`,
      ),
    ),
    ...doneInRun.flatMap(({ id, signs }) => signs.map((sign) => `To check, ${id}: ${sign}`)),
    ...detailTexts(report).map(({ text }) => text),
  ];
  return texts.map((text) => `- ${withOwnLink(report, text)}`);
}

/** The address of the run's own pull request is the only one that stays a link. */
function withOwnLink({ push }: RunReport, text: string): string {
  const url = push?.pullRequest ?? '';
  const plain = plainMarkdown(text);
  return /^https?:\/\/[\w./:-]+$/.test(url) ? plain.replaceAll(plainMarkdown(url), url) : plain;
}
