import { parse } from '@humanwhocodes/momoa';
import { isObject } from '../../lib/is-object.ts';
import { emptyReading } from '../entries/read-entries.ts';
import type { FileFormat, ReadResult } from '../tracker-format.ts';
import { notValid, type Placed, readListed } from './json.ts';

/** JSON lines: an issue on each line, as beads keeps them. */
export const JSONL_FORMAT: FileFormat = {
  kept: 'file',
  names: [],
  laterNames: [],
  elsewhere: ['.beads/issues.jsonl'],
  ownsPath: (path) => /\.jsonl$/i.test(path),
  ownsText: () => false,
  reader: readJsonLines,
};

type Line = { readonly json: string; readonly start: number };

function readJsonLines(text: string, path: string): ReadResult {
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
  const reading = readListed(text, 'json-lines', { items: withParts(values) }, defaults, read, '');
  const { edit } = reading;
  return {
    ok: true,
    reading: {
      ...reading,
      edit: (change) => {
        if (change.kind === 'retitle') return edit(change);
        return { kind: 'failed', message: 'its lines have fields that the tool that wrote them gives' };
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

/** Types of a dependency of which an issue waits. */
const WAITS = new Set(['blocks', 'conditional-blocks', 'waits-for']);

/**
 * The issues with their dependencies as a list of ids: of those that they wait for, and of a parent those of its children. An epic is a
 * task that changes nothing itself.
 */
function withParts(values: readonly unknown[]): unknown[] {
  const links = values.flatMap((value) => (isObject(value) ? linksOf(value) : []));
  const children = new Map<string, string[]>();
  for (const { from, to, type } of links)
    if (type === 'parent-child') children.set(to, [...(children.get(to) ?? []), from]);
  return values.map((value) => {
    if (!isObject(value)) return value;
    const waits = linksOf(value).flatMap(({ to, type }) => (WAITS.has(type) ? [to] : []));
    const parts = children.get(String(value.id)) ?? [];
    const isEpic = value.issue_type === 'epic' && parts.length > 0;
    return { ...value, dependencies: [...waits, ...parts], ...(isEpic ? { kind: 'verify' } : {}) };
  });
}

function linksOf({ id, dependencies }: Readonly<Record<string, unknown>>) {
  return (Array.isArray(dependencies) ? dependencies : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return [{ from: String(id), to: one, type: 'blocks' }];
    if (!isObject(one) || typeof one.depends_on_id !== 'string') return [];
    return [{ from: String(id), to: one.depends_on_id, type: String(one.type ?? 'blocks') }];
  });
}
