import { parse } from '@humanwhocodes/momoa';
import { isObject } from 'ralph-kit/is-object';
import { shellQuote } from 'ralph-kit/shell-quote';
import { emptyReading, PassedOver } from '../entries/read-entries.ts';
import { HELD_BY } from '../entries/status-plan.ts';
import { DEFAULT_INPUT, type ReaderInput, type ReadResult, type TaskList } from '../task-list.ts';
import { meaningOf } from '../words.ts';
import { notValid, type Placed, readListed } from './json.ts';

/** JSON lines belong to beads in its own folder alone. */
const IN_BEADS = /(?:^|[/\\])\.beads[/\\][^/\\]+$/;

/** JSON lines with one issue per line, as in beads. */
export const JSONL_FORMAT: TaskList = {
  storage: 'file',
  names: [],
  laterNames: [],
  elsewhere: ['.beads/issues.jsonl'],
  ownsPath: (path) => /\.jsonl$/i.test(path),
  ownsText: () => false,
  settings: {
    paths: (list) => (IN_BEADS.test(list) ? ['config.yaml'] : []),
    load: async () => (await import('../entries/read-settings.ts')).beadsWords,
  },
  reader: readJsonLines,
};

type Line = { readonly json: string; readonly start: number };

function readJsonLines(text: string, path: string, { words }: ReaderInput = DEFAULT_INPUT): ReadResult {
  const lines = linesOf(text);
  if (lines.length === 0) return { ok: true, reading: emptyReading('json-lines') };
  const values: unknown[] = [];
  for (const { json, start } of lines) {
    try {
      values.push(JSON.parse(json));
    } catch (error) {
      const number = text.slice(0, start).split('\n').length;
      return { ok: false, message: notValid(`${path}, line ${number},`, error) };
    }
  }
  const read = () =>
    lines.map(({ json, start }): Placed => ({ node: parse(json, { ranges: true }).body, start }));
  const defaults = { doneKey: 'status', blockedKey: 'status', words: { done: 'closed' } } as const;
  const reading = readListed(text, 'json-lines', { items: withParts(values) }, defaults, read, words, '');
  const { edit } = reading;
  return {
    ok: true,
    reading: {
      ...reading,
      givenUpFrees: true,
      edit: (change) => {
        if (change.kind === 'retitle') return edit(change);
        const message = 'its lines have fields that the tool that wrote them gives';
        if (!IN_BEADS.test(path)) return { kind: 'failed', message };
        const what =
          change.kind === 'add'
            ? `create ${shellQuote(change.task.title)}`
            : `delete ${reading.drafts[change.index]?.explicitId ?? ''}`;
        return { kind: 'failed', message, command: `bd ${what}` };
      },
    },
  };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const json of text.slice(start).split('\n')) {
    if (json.trim() !== '') lines.push({ json, start });
    start += json.length + 1;
  }
  return lines;
}

/** Types of dependencies for which an issue waits. */
const WAITS = new Set(['blocks', 'conditional-blocks', 'waits-for']);
/** Types of issues that aren't work. `bd ready` leaves them out, too. */
const NO_WORK = new Set(['merge-request', 'gate', 'molecule', 'message', 'agent', 'role', 'rig']);

/** Flags of issues that `bd ready` leaves out. */
const NO_WORK_FLAGS = ['is_template', 'ephemeral', 'pinned'] as const;

/**
 * Returns the kind of a line that isn't an issue to work on, such as a memory, a template or a gate; `null`: it is one.
 */
function noWorkOf(line: Readonly<Record<string, unknown>>): string | null {
  const { _type, issue_type } = line;
  if (typeof _type === 'string' && _type !== 'issue') return _type;
  if (NO_WORK.has(String(issue_type))) return String(issue_type);
  return NO_WORK_FLAGS.find((flag) => line[flag] === true)?.replace('is_', '') ?? null;
}

/**
 * Returns the issues with their dependencies as ids: those that they wait for, and for a parent its children. An epic
 * is a task that changes nothing itself. Entries that aren't work become `PassedOver`; an issue that waits for an open
 * one of these isn't started.
 */
function withParts(values: readonly unknown[]): unknown[] {
  const issues = values.filter((value) => isObject(value));
  const noWork = new Map(
    issues.filter((issue) => noWorkOf(issue) !== null).map((issue) => [String(issue.id), issue]),
  );
  const byId = new Map(issues.map((issue) => [String(issue.id), issue]));
  const isOpen = (id: string) => meaningOf(String(noWork.get(id)?.status ?? 'closed')) !== 'done';
  const links = issues.flatMap(linksOf);
  const children = new Map<string, string[]>();
  for (const { from, to, type } of links)
    if (type === 'parent-child' && !noWork.has(from)) children.set(to, [...(children.get(to) ?? []), from]);
  return values.map((value) => {
    if (!isObject(value)) return value;
    const noWorkHere = noWorkOf(value);
    if (noWorkHere !== null) return new PassedOver(noWorkHere);
    const waits = linksOf(value).flatMap(({ to, type }) => (WAITS.has(type) ? [to] : []));
    const parts = children.get(String(value.id)) ?? [];
    const parents = linksOf(value).flatMap(({ to, type }) => (type === 'parent-child' ? [to] : []));
    const isEpic = value.issue_type === 'epic' && parts.length > 0;
    const outside = waits.filter((id) => noWork.has(id) && isOpen(id));
    const { acceptance_criteria: criteria } = value;
    // Links without a waiting task become fields of their own, which no task has.
    const others = linksOf(value).filter(({ type }) => !WAITS.has(type));
    return {
      ...value,
      ...Object.fromEntries(others.map(({ type, to }) => [`dependencies.${type}`, to])),
      dependencies: [...waits.filter((id) => !noWork.has(id)), ...parts],
      // The owner of an issue only gets the credit, which approves nothing; who works on it is the assignee.
      owner: null,
      'issue owner': value.owner ?? null,
      assignee: value.assignee ?? null,
      // Children of a deferred issue are deferred, too.
      defer_until: latest([value, ...parents.map((id) => byId.get(id))].map((one) => one?.defer_until)),
      ...(outside.length > 0 ? { [HELD_BY]: outside.join(', ') } : {}),
      ...(typeof criteria === 'string' ? { acceptance_criteria: criteriaIn(criteria) } : {}),
      ...(isEpic ? { kind: 'verify' } : {}),
    };
  });
}

/** Returns the last of these times; `null`: none of the values is a time. */
function latest(times: readonly unknown[]): string | null {
  const known = times.filter((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time)));
  return (known as string[]).sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1) ?? null;
}

/** Matches the sign of a list's item, and the box after it. */
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
/** Matches a line before a list that only names the field. */
const NAMES_FIELD = /^(?:acceptance|acceptance criteria|criteria|done when):$/i;

/** Returns each line of a text as a criterion; of a list its items, with the line that introduces them. */
function criteriaIn(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .flatMap(numberedOnLine)
    .filter((line) => line.trim() !== '');
  let lead = '';
  return lines.flatMap((line, at) => {
    const isItem = ITEM.test(line);
    const plain = line.replace(isItem ? ITEM : /^\s*(?:\[[ xX]\][ \t]+)?/, '').trim();
    if (isItem) return plain === '' ? [] : [`${lead}${plain}`];
    const leads = plain.endsWith(':') && ITEM.test(lines[at + 1] ?? '');
    lead = leads && !NAMES_FIELD.test(plain) ? `${plain} ` : '';
    return leads || plain === '' ? [] : [plain];
  });
}

/**
 * Splits a line with the items `1)`, `2)`, `3)` one after the other, which all but the last end with punctuation; any
 * other line is returned unchanged.
 */
function numberedOnLine(line: string): string[] {
  if (!/^\s*1\)\s/.test(line)) return [line];
  const items: string[] = [];
  let rest = line;
  for (let number = 2; ; number += 1) {
    const next = rest.search(new RegExp(`(?<=[.;,]) ${number}\\) `));
    if (next === -1) return [...items, rest];
    items.push(rest.slice(0, next));
    rest = rest.slice(next + 1);
  }
}

function linksOf({ id, dependencies }: Readonly<Record<string, unknown>>) {
  return (Array.isArray(dependencies) ? dependencies : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return [{ from: String(id), to: one, type: 'blocks' }];
    if (!isObject(one) || typeof one.depends_on_id !== 'string') return [];
    return [{ from: String(id), to: one.depends_on_id, type: String(one.type ?? 'blocks') }];
  });
}
