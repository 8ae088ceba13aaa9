import type { Task } from '../../domain/task.ts';
import { parseDuration } from '../../lib/duration.ts';
import { readKind, readNames, readPriority, readReferences, shown } from '../task-fields.ts';

/** What a line such as `Timeout: 30m` says of its task. */
export type Attribute =
  | { readonly kind: 'fields'; readonly fields: Partial<Task> }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'acceptance'; readonly text: string }
  /** A label that stands over a list and says nothing itself. */
  | { readonly kind: 'label' }
  /** An attribute by its name, with a value that cannot be read. */
  | { readonly kind: 'invalid'; readonly message: string };

type Field = {
  readonly expected: string;
  /** `plain`: the value without backticks around it. `null` where it isn't what is expected. */
  readonly read: (value: string, plain: string) => Partial<Task> | null;
};

const DEPENDENCIES: Field = {
  expected: 'ids of tasks',
  read: (value) => ({ dependsOn: readReferences(value) }),
};
const FILES: Field = {
  expected: 'paths or globs with commas between',
  read: (value) => {
    const expectedPaths = readNames(value, /,/);
    return expectedPaths.every((path) => !/\s/.test(path) && /[./*]/.test(path)) ? { expectedPaths } : null;
  },
};
const NOTES: Field = { expected: 'text', read: (notes) => ({ notes }) };

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['depends on', DEPENDENCIES],
  ['depends-on', DEPENDENCIES],
  ['dependencies', DEPENDENCIES],
  ['blocked by', DEPENDENCIES],
  [
    'priority',
    { expected: 'a number or high, medium, low', read: (_, plain) => field('priority', readPriority(plain)) },
  ],
  [
    'timeout',
    {
      expected: 'seconds or a duration such as "90s", "30m", "2h"',
      read: (_, plain) => field('timeoutSeconds', parseDuration(plain)),
    },
  ],
  [
    'complexity',
    { expected: 'one word', read: (_, plain) => (/^[\w-]+$/.test(plain) ? { complexity: plain } : null) },
  ],
  ['kind', { expected: 'build, verify or research', read: (_, plain) => field('kind', readKind(plain)) }],
  ['files', FILES],
  ['expected paths', FILES],
  ['gates', { expected: 'names of gates', read: (value) => ({ gates: readNames(value, /,/) }) }],
  ['owner', { expected: 'a name', read: (owner) => ({ owner }) }],
  ['removal approved by', { expected: 'a name', read: (removalApprovedBy) => ({ removalApprovedBy }) }],
  ['constraints', { expected: 'text', read: (value) => ({ constraints: readNames(value, /;/) }) }],
  ['boundaries', { expected: 'text', read: (value) => ({ boundaries: readNames(value, /;/) }) }],
  ['goals', { expected: 'text', read: (value) => ({ goals: readNames(value, /;/) }) }],
  ['description', { expected: 'text', read: (description) => ({ description }) }],
  ['note', NOTES],
  ['notes', NOTES],
]);

const LINE = new RegExp(
  String.raw`^(?:\*\*|__)?(${[...FIELDS.keys()].join('|')}|acceptance(?: criteria)?|id)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*(.*)$`,
  'i',
);
/** The form in which issues name their dependencies: "Depends on #3". */
const DEPENDS_ON_NUMBER = /^(?:depends on|blocked by)[ \t]+(#\d+(?:(?:[ \t]*,|[ \t]+and)[ \t]+#\d+)*)\.?$/i;

/** Reads an attribute line without its bullet; `null` when the line is ordinary text. */
export function readAttribute(line: string): Attribute | null {
  if (!line.includes(':') && !line.includes('#')) return null;
  const number = DEPENDS_ON_NUMBER.exec(line)?.[1];
  if (number !== undefined) return { kind: 'fields', fields: { dependsOn: readReferences(number) } };
  const match = LINE.exec(line);
  if (match === null) return null;
  const name = (match[1] ?? '').toLowerCase();
  const value = (match[2] ?? '').trim();
  const known = FIELDS.get(name);
  // Paths may stand in the list below; everything else over a list is a label.
  if (value === '') return known === FILES ? null : { kind: 'label' };
  const plain = value.replace(/^`(.*)`$/, '$1');
  if (known !== undefined) {
    const fields = known.read(value, plain);
    return fields === null ? invalid(name, value, known.expected) : { kind: 'fields', fields };
  }
  if (name !== 'id') return { kind: 'acceptance', text: value };
  return /^[\w.#-]+$/.test(plain) ? { kind: 'id', id: plain } : invalid(name, value, 'one word');
}

function field<Key extends keyof Task>(key: Key, value: Task[Key] | null): Partial<Task> | null {
  return value === null ? null : ({ [key]: value } as Partial<Task>);
}

function invalid(name: string, value: string, expected: string): Attribute {
  return { kind: 'invalid', message: `${name}: expected ${expected}, found ${shown(value)}` };
}
