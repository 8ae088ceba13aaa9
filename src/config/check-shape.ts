import { nearest } from 'ralph-kit/nearest';
import { redact } from 'ralph-kit/redact';
import { stripControl } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { Config } from '../domain/config.ts';
import { suggestKey } from './json-schema.ts';
import type { KeyPath, Table } from './key-path.ts';
import { formatKey, isTable, showKey, valueAt } from './key-path.ts';

export type KeyIssue = {
  readonly path: KeyPath;
  readonly message: string;
  /** A related key, used when the first was never written. */
  readonly with?: KeyPath;
  readonly unknown?: true;
};

/** Between a setting's older name and its name, in a note that changes nothing. */
export const READ_AS = ' is read as ';

/** Whether a note only gives a setting's new name, so that it has its effect. */
export function isNewName(message: string): boolean {
  return message.includes(READ_AS);
}

/** Returns unknown keys and wrong values of a layer, with what was expected and found. */
export function checkShape(table: Table): KeyIssue[] {
  const result = z.safeParse(Config, table);
  return result.success ? [] : result.error.issues.flatMap((issue) => explain(issue, [], table));
}

type Issue = z.core.$ZodIssue;

function explain(issue: Issue, above: KeyPath, table: Table): KeyIssue[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const unknown = [...path, key];
      return { path: unknown, message: unknownKey(unknown, valueAt(table, unknown)), unknown: true };
    });
  }
  if (issue.code === 'invalid_union') {
    // The alternative that accepts the found kind of value was meant.
    const meant = issue.errors.find((branch) => !branch.some((inner) => isWrongKind(inner)));
    if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path, table));
  }
  const found = valueAt(table, path);
  if (found === undefined) {
    return [{ path, message: `${showKey(path)}: is missing; expected ${expected(issue)}` }];
  }
  const hint = meantValue(found, valuesOf(issue));
  return [
    { path, message: `${showKey(path)}: expected ${expected(issue)}, found ${showValue(found)}${hint}` },
  ];
}

function isWrongKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function unknownKey(path: KeyPath, value: unknown): string {
  const name = JSON.stringify(path.at(-1));
  const above = path.slice(0, -1);
  if (above.length === 0) return `unknown ${isTable(value) ? 'section' : 'key'} ${name}; ${suggestKey(path)}`;
  const inList = above.some((part) => typeof part === 'number');
  return `unknown key ${name} in ${inList ? showKey(above) : `[${formatKey(above)}]`}; ${suggestKey(path)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return issue.inclusive === false ? `more than ${issue.minimum}` : `${issue.minimum} or more`;
    case 'too_big':
      return issue.inclusive === false ? `less than ${issue.maximum}` : `${issue.maximum} or less`;
    case 'invalid_union':
      return expectedOfAny(issue.errors);
    default:
      return issue.message.replace(/^expected /, '');
  }
}

/** The only union of plain values is a number or text: seconds. */
function expectedOfAny(branches: readonly (readonly Issue[])[]): string {
  const kinds = [...new Set(branches.flatMap((branch) => branch.slice(0, 1).map(expected)))];
  if (kinds.join() === 'a number,text')
    return 'seconds as a number, or a duration such as "90s", "30m", "2h"';
  return kinds.join(' or ');
}

function valuesOf(issue: Issue): readonly unknown[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(valuesOf);
  return issue.code === 'invalid_value' ? issue.values : [];
}

function meantValue(found: unknown, values: readonly unknown[]): string {
  if (typeof found === 'boolean' && values.includes('on')) return `; write "${found ? 'on' : 'off'}"`;
  const near = typeof found === 'string' ? nearest(found, values.map(String)) : null;
  return near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

function showValue(value: unknown): string {
  if (isTable(value)) return 'a table';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null) return 'a date';
  const text = redact(stripControl(JSON.stringify(value) ?? String(value)), []);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
