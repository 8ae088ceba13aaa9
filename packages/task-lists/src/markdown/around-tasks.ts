import { counted } from 'ralph-kit/counted';
import type { ReadExtras } from '../task-list.ts';
import type { Body } from './body.ts';
import { hasFrontMatter, type MarkdownLine } from './lines.ts';

type Heading = Extract<MarkdownLine, { kind: 'heading' }>;

/**
 * Returns content of a Markdown list that belongs to no task.
 *
 * @param boxes First and last line of everything that begins with its own box or heading.
 * @param isRead Whether a heading is the group of a task, or marks where tasks are.
 */
export function aroundTasks(
  text: string,
  lines: readonly MarkdownLine[],
  boxes: readonly { readonly first: number; readonly last: number }[],
  tasks: readonly { readonly body: Body | null; readonly tags: readonly string[] }[],
  isRead: (heading: Heading) => boolean,
): ReadExtras {
  const inBoxes = new Set<number>();
  for (const { first, last } of boxes) for (let at = first; at <= last; at += 1) inBoxes.add(at);
  const around = lines.filter(
    (line) =>
      !inBoxes.has(line.number) &&
      line.kind !== 'blank' &&
      line.kind !== 'box' &&
      !(line.kind === 'heading' && isRead(line)),
  );
  const thoseWith = (what: string, has: (task: (typeof tasks)[number]) => boolean) => {
    const of = tasks.flatMap((task, index) => (has(task) ? [index] : []));
    return of.length === 0 ? [] : [{ what, of }];
  };
  const tags = [...new Set(tasks.flatMap((task) => task.tags))];
  return {
    words: new Map(),
    unread: [
      ...(hasFrontMatter(text) ? [{ what: 'the front matter', of: [] }] : []),
      ...(around.length === 0
        ? []
        : [{ what: `the text around the tasks (${counted(around.length, 'line')})`, of: [] }]),
      ...thoseWith('headings below the task', ({ body }) => body?.hasHeadings === true),
      ...thoseWith('criteria that are neither open nor done', ({ body }) => body?.isMarked === true),
      ...tags.flatMap((tag) => thoseWith(tag, (task) => task.tags.includes(tag))),
    ],
  };
}
