import type { Task } from '../../domain/task.ts';
import { DISTINCT_NAMES } from '../../ecosystems/index.ts';
import { parseTaskReview, TASK_REVIEW_FORM } from '../../lib/actions/task-review.ts';
import { parseDuration } from '../../lib/duration.ts';
import { editDistance } from '../../lib/nearest.ts';
import { capitalized } from '../../lib/text.ts';
import {
  EXPECTED,
  readGrade,
  readKind,
  readNames,
  readPriority,
  readReferences,
  shown,
} from '../task-fields.ts';

/** What a line such as `Timeout: 30m` says of its task. */
export type Attribute =
  | { readonly kind: 'fields'; readonly fields: Partial<Task> }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'acceptance'; readonly text: string }
  /** Something to know that isn't a field. */
  | { readonly kind: 'remark'; readonly text: string }
  /** A label that stands over a list and says nothing itself. */
  | { readonly kind: 'label' }
  /** An attribute whose value can't be read, or a name that is nearly one. */
  | { readonly kind: 'invalid'; readonly message: string };

type Field = {
  readonly expected: string;
  /** `plain`: the value without backticks around it. `null` where it isn't what is expected. */
  readonly read: (value: string, plain: string) => Partial<Task> | null;
  /** Follows the message about a value that can't be read: the nearest right one. */
  readonly hint?: (plain: string) => string;
  /** Whether most texts are no value of it: one that can be read speaks for a misspelt name. */
  readonly isNarrow?: true;
};

/** A command that isn't set as code reads as one: it begins with a program or a path, or has options or operators. */
const COMMAND = new RegExp(
  String.raw`^\.{0,2}\/|^[\w.-]+$|^[\w.-]+\/\S*(?:\s|$)|^\w+=|\s--?[A-Za-z]|[|&;<>$]|^(?:npm|npx|pnpm|yarn|bunx?|deno|node|tsx?|python3?|uv|poetry|pip|go|cargo|make|just|bash|sh|zsh|test|grep|rg|curl|git|docker|mvn|gradle|dotnet|ruby|bundle|rake|php|composer|mix|swift|${DISTINCT_NAMES.join('|')})\s`,
);

/** The commands of a `Check:` line; `null` where it is a sentence. */
function readCheck(value: string): Partial<Task> | null {
  const set = /^`([^`]+)`$|^``\s*(.+?)\s*``$/.exec(value);
  if (set !== null) return { checks: [set[1] ?? set[2] ?? ''] };
  return COMMAND.test(value) ? { checks: [value] } : null;
}

const DEPENDENCIES: Field = {
  expected: 'ids of tasks',
  read: (value) => ({ dependsOn: readReferences(value) }),
};
const GATES: Field = { expected: 'names of gates', read: (value) => ({ gates: readNames(value, /,/) }) };
const FILES: Field = {
  expected: 'paths or globs with commas between',
  read: (value) => {
    // "none", and what a list says of a path behind it: "(new)".
    if (/^(?:none|n\/a|-|–|—)(?!\w)/i.test(value)) return {};
    const plain = value.replace(/\s*\([^()]*\)/g, '');
    const expectedPaths = readNames(plain, /,/);
    return expectedPaths.every((path) => !/\s/.test(path) && /[./*]/.test(path)) ? { expectedPaths } : null;
  },
};
const CONSTRAINTS: Field = { expected: 'text', read: (value) => ({ constraints: readNames(value, /;/) }) };
const BOUNDARIES: Field = { expected: 'text', read: (value) => ({ boundaries: readNames(value, /;/) }) };
const GOALS: Field = { expected: 'text', read: (value) => ({ goals: readNames(value, /;/) }) };
const NOTES: Field = { expected: 'text', read: (notes) => ({ notes }) };

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['depends on', DEPENDENCIES],
  ['depends-on', DEPENDENCIES],
  ['depends', DEPENDENCIES],
  ['dependencies', DEPENDENCIES],
  ['dependency', DEPENDENCIES],
  ['blocked by', DEPENDENCIES],
  [
    'priority',
    { ...EXPECTED.priority, read: (_, plain) => field('priority', readPriority(plain)), isNarrow: true },
  ],
  [
    'timeout',
    {
      ...EXPECTED.timeout,
      read: (_, plain) => field('timeoutSeconds', parseDuration(plain)),
      isNarrow: true,
    },
  ],
  [
    'complexity',
    {
      expected: 'one word',
      read: (_, plain) => (/^(?:[\w-]+|ui heavy)$/i.test(plain) ? { complexity: plain } : null),
    },
  ],
  ['kind', { ...EXPECTED.kind, read: (_, plain) => field('kind', readKind(plain)), isNarrow: true }],
  ['files', FILES],
  ['file', FILES],
  ['expected paths', FILES],
  ['gates', GATES],
  ['check', { expected: 'a command in backticks', read: readCheck }],
  ['proof', { ...EXPECTED.proof, read: (_, plain) => field('proof', readGrade(plain)), isNarrow: true }],
  ['owner', { expected: 'a name', read: (owner) => ({ owner }) }],
  ['removal approved by', { expected: 'a name', read: (removalApprovedBy) => ({ removalApprovedBy }) }],
  [
    'review',
    {
      expected: TASK_REVIEW_FORM,
      read: (_, plain) => (parseTaskReview(plain) === null ? null : { review: plain }),
    },
  ],
  ['constraint', CONSTRAINTS],
  ['constraints', CONSTRAINTS],
  ['boundary', BOUNDARIES],
  ['boundaries', BOUNDARIES],
  ['goal', GOALS],
  ['goals', GOALS],
  ['description', { expected: 'text', read: (description) => ({ description }) }],
  ['note', NOTES],
  ['notes', NOTES],
]);
/** The names as messages offer them. */
const NAMES = [...FIELDS.keys(), 'acceptance', 'acceptance criteria', 'id'];
/** Characters from which on a name that is one edit away is no other word. */
const LONG_NAME = 6;

const LINE = new RegExp(
  String.raw`^(?:\*\*|__)?(${[...FIELDS.keys()].join('|')}|acceptance(?: criteria)?|id)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*(.*)$`,
  'i',
);
/** The form in which issues name their dependencies: "Depends on #3". */
const DEPENDS_ON_NUMBER = /^(?:depends on|blocked by)[ \t]+(#\d+(?:(?:[ \t]*,|[ \t]+and)[ \t]+#\d+)*)\.?$/i;

/** A line in italics, as Kiro writes what a task refers to: `_Requirements: 1.1, 2.3_`. */
const ITALIC = /^([_*])([A-Za-z][A-Za-z _-]{1,24}:[ \t]*[^_*\s].*?)\1$/;
/** A line of the form `Name: value`, whatever the name is. */
const NAMED = /^(?:\*\*|__)?([A-Za-z][A-Za-z _-]{1,24})(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]+(.*)$/;

/**
 * Reads an attribute line without its bullet; `null` when the line is ordinary text.
 *
 * @param among `criteria`: a bullet among the criteria, which may be a sentence that begins like an attribute.
 */
export function readAttribute(line: string, among: 'lines' | 'criteria'): Attribute | null {
  if (!line.includes(':') && !line.includes('#')) return null;
  const italic = ITALIC.exec(line)?.[2];
  if (italic !== undefined) {
    const inner = LINE.test(italic) ? readAttribute(italic, among) : null;
    return inner?.kind === 'fields' ? inner : { kind: 'remark', text: italic };
  }
  const number = DEPENDS_ON_NUMBER.exec(line)?.[1];
  if (number !== undefined) return { kind: 'fields', fields: { dependsOn: readReferences(number) } };
  const match = LINE.exec(line);
  if (match === null) return misspelt(line, among);
  const name = (match[1] ?? '').toLowerCase();
  const value = (match[2] ?? '').trim();
  const known = FIELDS.get(name);
  // Paths may stand in the list below; everything else over a list is a label.
  if (value === '') return known === FILES ? null : { kind: 'label' };
  const plain = value.replace(/^`(.*)`$/, '$1');
  if (known !== undefined) {
    const fields = known.read(value, plain);
    if (fields !== null) return { kind: 'fields', fields };
    if (among === 'criteria' && isSentence(plain)) return null;
    return invalid(name, value, known.expected, known.hint?.(plain));
  }
  if (name !== 'id') return { kind: 'acceptance', text: value };
  return /^[\p{L}\p{M}\p{N}_.#-]+$/u.test(plain)
    ? { kind: 'id', id: plain }
    : invalid(name, value, 'one word');
}

/** A name that differs in little from that of an attribute, such as `Dependson`. */
function misspelt(line: string, among: 'lines' | 'criteria'): Attribute | null {
  const match = NAMED.exec(line);
  const name = (match?.[1] ?? '').trim();
  const value = (match?.[2] ?? '').trim();
  if (value === '') return null;
  const plain = name.toLowerCase();
  const near = NAMES.find((known) => isNear(plain, known, value));
  if (near === undefined) return null;
  if ((among === 'criteria' || near.length < LONG_NAME) && isSentence(value)) return null;
  const shownName = near === 'id' ? 'ID' : capitalized(near);
  return { kind: 'invalid', message: `there is no attribute ${shown(name)}. Did you mean "${shownName}:"?` };
}

/**
 * One edit away, in a short name a letter more, less or swapped ("Dates" isn't "Gates"); further where the value can
 * be nothing else.
 */
function isNear(name: string, known: string, value: string): boolean {
  if (name[0] !== known[0] || Math.abs(name.length - known.length) > 2) return false;
  const distance = editDistance(name, known);
  if (distance > 1) {
    const field = FIELDS.get(known);
    return field?.isNarrow === true && distance <= 2 && field.read(value, value) !== null;
  }
  if (known.length >= LONG_NAME) return true;
  const isSwapped = [...name].sort().join('') === [...known].sort().join('');
  return known.length > 2 && (name.length !== known.length || isSwapped);
}

/** Longer than a value would be. */
function isSentence(value: string): boolean {
  const words = value.replace(/,\s*|\s+and\s+/g, ',').split(/\s+/);
  return words.length > 2 || (words.length === 2 && !/^\d/.test(value));
}

function field<Key extends keyof Task>(key: Key, value: Task[Key] | null): Partial<Task> | null {
  return value === null ? null : ({ [key]: value } as Partial<Task>);
}

function invalid(name: string, value: string, expected: string, hint = ''): Attribute {
  const after = hint === '' ? '' : `.${hint}`;
  return { kind: 'invalid', message: `${name}: expected ${expected}, found ${shown(value)}${after}` };
}
