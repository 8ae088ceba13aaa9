import { type ComponentChildren, Fragment, h } from 'preact';
import { counted } from '../../../lib/counted.ts';

/** What a page is made of. Text among it is escaped by preact. */
export type Part = ComponentChildren;

/** How much of what is shown. */
export type Size = {
  /** Characters of a text, and of a line of a patch. */
  readonly chars: number;
  /** Entries of a list inside of a task. */
  readonly entries: number;
  /** Causes, and tasks that need you. */
  readonly cards: number;
  /** Characters of all patches together. */
  readonly patches: number;
  /** Tasks, and attempts: the newest of them. */
  readonly rows: number;
};

export type Section = { readonly id: string; readonly title: string; readonly content: Part };

/** A section that has content; none is shown without. */
export function section(id: string, title: string, content: readonly Part[]): Section[] {
  const shown = content.filter((part) => part !== null && part !== '');
  return shown.length === 0 ? [] : [{ id, title, content: h(Fragment, null, ...shown) }];
}

/** On a narrow screen it is moved sideways, by keys too. */
export function table(name: string, head: readonly string[], rows: readonly (readonly Part[])[]): Part {
  if (rows.length === 0) return null;
  return h(
    'div',
    { class: 'wide', role: 'group', 'aria-label': name, tabIndex: 0 },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, ...head.map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', null, ...rows.map((cells) => h('tr', null, ...cells.map((cell, at) => cellOf(cell, at))))),
    ),
  );
}

function cellOf(cell: Part, at: number): Part {
  return at === 0 ? h('th', { scope: 'row' }, cell) : h('td', null, cell);
}

/** With the number of those that were left out. */
export function list(items: readonly Part[], most = Number.POSITIVE_INFINITY, kind = ''): Part {
  if (items.length === 0) return null;
  const left = items.length - most;
  const shown = items.slice(0, most).map((item) => h('li', null, item));
  return h(
    'ul',
    kind === '' ? null : { class: kind },
    ...shown,
    left > 0 ? h('li', { class: 'faint' }, `and ${left} more`) : null,
  );
}

/** A name out of the world: it keeps to itself which way it is read. */
export function name(text: string, most = 200): Part {
  return h('bdi', null, clip(text, most));
}

export function code(text: string): Part {
  return h('code', null, text);
}

export function commands(lines: readonly string[]): Part {
  return lines.length === 0
    ? null
    : h('p', { class: 'commands' }, ...lines.map((line) => h('code', null, line)));
}

/** What a list of parts leaves out. */
export function more(count: number, what: string, command: string): Part {
  return count <= 0 ? null : h('p', { class: 'faint' }, `and ${counted(count, what)}: `, code(command));
}

/** Something as it was printed. */
export function excerpt(lines: readonly string[]): Part {
  return lines.length === 0 ? null : h('pre', null, lines.join('\n'));
}

export function fold(summary: Part, ...content: Part[]): Part {
  return h('details', null, h('summary', null, summary), ...content);
}

/** What each kind of outcome looks like: a sign with a colour, so that neither alone says it. */
const SIGNS = { good: '✔', bad: '✖', wait: '!', part: '…', none: '–' } as const;
export type Tone = keyof typeof SIGNS;

export function sign(tone: Tone): Part {
  return h('i', { class: tone }, SIGNS[tone]);
}

/** The beginning of a text that is too long; no character is cut in two. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The same data with no text longer than that; a patch is cut by its lines where it is shown. */
export function clipped<T>(value: T, most: number): T {
  return walk(value, most) as T;
}

/** Characters of all texts, none counted with more than so many: it takes long to make a page of too many. */
export function lengthOf(value: unknown, most: number): number {
  if (typeof value === 'string') return Math.min(value.length, most);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + lengthOf(inner, most), 0);
}

function walk(value: unknown, most: number): unknown {
  if (typeof value === 'string') return clip(value, most);
  if (Array.isArray(value)) return value.map((item) => walk(item, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'patch' ? inner : walk(inner, most)]),
  );
}
