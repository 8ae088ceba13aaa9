import { formatDuration } from 'ralph-kit/duration';
import { fenced, inlineCode, plainMarkdown } from 'ralph-kit/markdown';
import type { DoneTask, RunReport, UnfinishedTask } from '../../domain/run-report.ts';
import { type WorkPlace, workText } from '../../domain/work-place.ts';
import {
  type Item,
  type Morning,
  morningOf,
  mutantsText,
  notStartedText,
  spentText,
  TITLES,
  withLocalTimes,
} from '../../tell/index.ts';

/**
 * Returns the report of a run as Markdown, for a pull request or a chat; it has everything that the report
 * has.
 */
export function reportMarkdown(report: RunReport): string {
  const { headline, counts, tree, facts, needs, open, notStarted, details, unchecked } = morningOf(
    report,
    new Date(),
  );
  const items = (all: readonly Item[]) => all.map((item) => itemText(item, report));
  const parts = [
    `## ${plainMarkdown(headline)}`,
    [...(counts === null ? [] : [counts]), tree, facts].map(plainMarkdown).join('  \n'),
    ...section(TITLES.needs, items(needs).join('\n')),
    ...section(TITLES.open, [...items(open), ...openItem(notStarted)].join('\n')),
    ...section(TITLES.done, doneTable(report.doneInRun)),
    ...section(TITLES.details, detailItems(report, details).join('\n')),
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
  return [`- ${notStartedText(tasks)}: ${ids}`];
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

function detailItems(report: RunReport, details: Morning['details']): string[] {
  const { doneInRun } = report;
  const texts = [
    ...doneInRun.flatMap(({ id, criteria }) =>
      criteria.map(
        ({ text, standing: status, why }) =>
          `${id}: ${text} (${status === 'shown' ? `shown: ${why}` : status.replace('_', ' ')})`,
      ),
    ),
    ...doneInRun.flatMap(({ id, signs }) => signs.map((sign) => `To check, ${id}: ${sign}`)),
    ...details.map(({ text }) => text),
  ];
  return texts.map((text) => `- ${withOwnLink(report, text)}`);
}

/** The address of the run's own pull request is the only one that stays a link. */
function withOwnLink({ push }: RunReport, text: string): string {
  const url = push?.pullRequest ?? '';
  const plain = plainMarkdown(text);
  return /^https?:\/\/[\w./:-]+$/.test(url) ? plain.replaceAll(plainMarkdown(url), url) : plain;
}
