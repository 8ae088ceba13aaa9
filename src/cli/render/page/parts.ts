import { createHash } from 'node:crypto';
import { type ComponentChildren, h } from 'preact';
import { counted } from 'ralph-kit/counted';

/** Content of a page. preact escapes its text. */
export type Part = ComponentChildren;

export type Size = {
  /** Maximum number of characters of a text, and of a line of a patch. */
  readonly chars: number;
  /** Maximum number of entries of a list within a task. */
  readonly entries: number;
  /** Maximum number of causes, and of tasks that need you. */
  readonly cards: number;
  /** Maximum number of characters of all patches together. */
  readonly patches: number;
  /** Number of newest tasks, and of newest attempts, that are shown. */
  readonly rows: number;
};

export type Section = { readonly id: string; readonly title: string; readonly content: Part };

/** Returns a section; none if all of its parts are empty. */
export function section(id: string, title: string, content: readonly Part[]): Section[] {
  const shown = content.filter((part) => part !== null && part !== '');
  return shown.length === 0 ? [] : [{ id, title, content: [...shown] }];
}

/** Returns a table that can be scrolled sideways on a narrow screen, also by keys. */
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

/** Returns a list. If it has more items than `most`, the last entry is the number of the others. */
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

/** Returns a name in `bdi`, so that a name that is written from right to left doesn't turn the text around it. */
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

/**
 * Returns the id of a block, by which a live page replaces the block alone and links lead to it; the text itself isn't
 * part of it.
 */
export function blockName(kind: string, text: string): string {
  return `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 10)}`;
}

export function more(count: number, what: string, command: string): Part {
  return count <= 0 ? null : h('p', { class: 'faint' }, `and ${counted(count, what)}: `, code(command));
}

export function excerpt(lines: readonly string[]): Part {
  return lines.length === 0 ? null : h('pre', null, lines.join('\n'));
}

export function fold(summary: Part, ...content: Part[]): Part {
  return h('details', null, h('summary', null, summary), ...content);
}

/** Sign of each kind of outcome, so that it can be told without its colour. */
const SIGNS = { good: '✔', bad: '✖', wait: '!', part: '…', none: '–' } as const;
export type Tone = keyof typeof SIGNS;

export function sign(tone: Tone): Part {
  return h('i', { class: tone }, SIGNS[tone]);
}

/** Returns a text cut to `most` UTF-16 units, without splitting a character. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Returns the value with all texts cut to `most` characters, except for patches, which are cut by lines when they are
 * shown.
 */
export function clipped<T>(value: T, most: number): T {
  return walk(value, most) as T;
}

/**
 * Returns the number of characters of all texts, each at most `most`, because a page of too much text takes long to
 * make.
 */
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
