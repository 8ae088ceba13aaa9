import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Project } from './cli.ts';
import { onTerminal } from './on-terminal.ts';
import { temporaryFolder } from './repository.ts';

/**
 * Returns a morning's report in each of its forms, as Markdown with a section for each, without parts that differ from
 * night to night. People read it: whoever changes a sentence sees here where it is used.
 * @param notified Path of the file with notifications, one JSON document after the other
 */
export async function toldForms(one: Project, notified: string): Promise<string> {
  const page = join(temporaryFolder(), 'report.html');
  one.ralph('report', '--html', page);
  const sent = existsSync(notified) ? readFileSync(notified, 'utf8').trim().split('\n') : [];
  const { headline, unfinished, not_committed, next } = one.json('report');
  const forms = {
    text: one.ralph('report').stdout,
    markdown: one.ralph('report', '--format', 'markdown').stdout,
    // The table is sorted by times, which differ from night to night.
    page: pageText(readFileSync(page, 'utf8')).replace(
      /\nTime and spend\n(?!Interventions)[\s\S]*?(?=\n(?:Interventions|Details)\n)/,
      '',
    ),
    status: one.ralph('status').stdout,
    blocked: one.ralph('blocked', '--suggest').stdout,
    screen: await screenText(one),
    notifications: sent.map((line) => notificationText(JSON.parse(line))).join('\n\n'),
    json: JSON.stringify({ headline, unfinished, not_committed, next }, null, 1),
  };
  return Object.entries(forms)
    .map(([name, text]) => `## ${name}\n\n~~~text\n${lasting(text, one)}\n~~~\n`)
    .join('\n');
}

function notificationText({ title, text, next }: Record<string, unknown>): string {
  return [title, text, ...(next as string[])].join('\n');
}

/** Returns the words of a page; each element that begins a line also begins one here. */
function pageText(html: string): string {
  return html
    .replace(/<(style|script|svg|head)\b[\s\S]*?<\/\1>/g, '')
    .replace(
      /<(?:\/?(?:p|div|li|tr|h\d|section|details|summary|header|footer|pre|ul|table|dt|dd|dl)|br)\b[^>]*>/g,
      '\n',
    )
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

async function screenText(one: Project): Promise<string> {
  const screen = onTerminal(one.root, ['watch'], { columns: 100, rows: 40 });
  await screen.shows(/\d of \d/);
  const text = screen.text();
  screen.type('q');
  await screen.ended;
  return text;
}

function lasting(text: string, { root }: Project): string {
  return text
    .replaceAll(root, 'ROOT')
    .replaceAll(basename(root), 'REPOSITORY')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g, 'DATE')
    .replace(/\b(?:\d{4}-\d\d-\d\d )?\d\d:\d\d(?::\d\d)?\b/g, 'CLOCK')
    .replace(/\br-\d{8}-\d{6}-[a-z0-9]{4}\b/g, 'RUN')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,40}\b/g, 'COMMIT')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s|min|h)\b(?: \d+ (?:s|min)\b)?/g, 'TIME')
    .replace(/\/tmp\/[^\s"']+/g, 'PATH')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
