import {
  type DoneTask,
  type RunReport,
  type UnfinishedTask,
  uncheckedText,
} from '../../domain/run-report.ts';
import { workText } from '../../domain/work-place.ts';
import { counted } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import { fenced, inlineCode, plainMarkdown } from '../../lib/markdown.ts';
import { asSentence } from '../../lib/text.ts';
import { spentText } from './policy-text.ts';
import {
  deniedText,
  factsText,
  failingHead,
  falseClaimsText,
  headline,
  mutantsText,
  notPushedOf,
  perTaskText,
  proposalTexts,
  pushedText,
  refusedHostTexts,
  roleTexts,
  sentencesForYou,
  speedUpText,
  timeText,
  treeText,
  whyText,
} from './run-report.ts';
import { withLocalTimes } from './times.ts';

/** The report of a run as Markdown, for a pull request or a chat: nothing of it is left out. */
export function reportMarkdown(report: RunReport): string {
  const now = new Date();
  const of = (group: UnfinishedTask['group']) => report.unfinished.filter((task) => task.group === group);
  const unchecked = uncheckedText(report.unchecked, true);
  const parts = [
    `## ${plainMarkdown(withLocalTimes(headline(report), now))}`,
    `${plainMarkdown(treeText(report))}  \n${plainMarkdown(factsText(report, now))}`,
    ...section('Needs you', [...of('you').map(unfinishedItem), ...yourItems(report)].join('\n')),
    ...section(
      'Not done',
      [...of('attempted').map(unfinishedItem), ...openItem(of('not_started'))].join('\n'),
    ),
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

function unfinishedItem(task: UnfinishedTask): string {
  const { id, title, status, recovery, next, work } = task;
  const text = plainMarkdown(whyText(task));
  const steps = recovery.map((step) => `\n  1. ${plainMarkdown(step)}`).join('');
  const place = work.kind === 'none' ? null : workText({ ...work, command: inlineCode(work.command) });
  const why = place === null ? text : `${asSentence(text)} ${place}.`;
  return `- **${plainMarkdown(id)}** ${plainMarkdown(title)} (${status.replaceAll('_', ' ')}): ${why} ${inlineCode(next)}${causeItem(task)}${steps}`;
}

/** The error, once for all tasks that fail with it. */
function causeItem({ failing, sameAs: [first] }: UnfinishedTask): string {
  if (first !== undefined) return `\n  The same error as **${plainMarkdown(first)}**.`;
  if (failing === null) return '';
  return `\n  ${plainMarkdown(asSentence(`${failingHead(failing)}:`).slice(0, -1))}\n${failing.lines.map((line) => `  - ${inlineCode(line)}`).join('\n')}`;
}

function openItem(tasks: readonly UnfinishedTask[]): string[] {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => plainMarkdown(id)).join(', ');
  return [`- ${counted(tasks.length, 'task')} not started: ${ids}`];
}

function yourItems(report: RunReport): string[] {
  const items = report.notCommitted.map(
    ({ id, why, next }) =>
      `- **${plainMarkdown(id)}** is verified and waits: ${plainMarkdown(why)} ${inlineCode(next)}`,
  );
  const notPushed = notPushedOf(report);
  const next = notPushed?.next ? ` ${inlineCode(notPushed.next)}` : '';
  const push = notPushed === null ? [] : [`- ${withOwnLink(report, notPushed.text)}${next}`];
  return [...items, ...push, ...sentencesForYou(report).map((text) => `- ${plainMarkdown(text)}`)];
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
  const texts = [
    ...report.doneInRun.flatMap(({ id, criteria }) =>
      criteria.map(
        ({ text, standing: status, why }) =>
          `${id}: ${text} (${status === 'shown' ? `shown: ${why}` : status.replace('_', ' ')})`,
      ),
    ),
    ...report.doneInRun.flatMap(({ id, signs }) => signs.map((sign) => `To check, ${id}: ${sign}`)),
    ...detailTexts(report),
  ];
  return texts.map((text) => `- ${withOwnLink(report, text)}`);
}

/** The pull request of the run is the one address that stays a link. */
function withOwnLink({ push }: RunReport, text: string): string {
  const url = push?.pullRequest ?? '';
  const plain = plainMarkdown(text);
  return /^https?:\/\/[\w./:-]+$/.test(url) ? plain.replaceAll(plainMarkdown(url), url) : plain;
}

/** What else is to be known of the runs, each as a sentence. */
export function detailTexts(report: RunReport): string[] {
  const [each, gained, pushed] = [perTaskText(report), speedUpText(report), pushedText(report)];
  return [
    ...(pushed === null ? [] : [pushed]),
    ...(report.liesCaught > 0 ? [falseClaimsText(report)] : []),
    ...(each === null ? [] : [each]),
    ...(report.iterations > 0 ? [timeText(report)] : []),
    ...(gained === null ? [] : [gained]),
    ...roleTexts(report),
    ...proposalTexts(report),
    ...(report.commandsRefused > 0
      ? [`${counted(report.commandsRefused, 'command')} of ralph refused, called by the agent or a gate.`]
      : []),
    ...refusedHostTexts(report),
    ...report.failedRules,
    ...(report.commandsRewritten > 0
      ? [`${counted(report.commandsRewritten, 'command')} changed after review by a hook of yours.`]
      : []),
    ...(report.deniedActions.count > 0 ? [deniedText(report.deniedActions)] : []),
    ...report.gateLost.map(({ agent, why }) => `Actions of ${agent} were seen only once started: ${why}.`),
  ];
}
