import { parseTaskReview, TASK_REVIEW_FORM } from 'ralph-kit/actions/task-review';
import { parseDuration } from 'ralph-kit/duration';
import { editDistance } from 'ralph-kit/nearest';
import { capitalized } from 'ralph-kit/text';
import type { Task } from '../task.ts';
import {
  EXPECTED,
  readGrade,
  readKind,
  readNames,
  readPriority,
  readReferences,
  valueText,
} from '../task-fields.ts';

/** Content of a line such as `Timeout: 30m` about its task. */
export type Attribute =
  | { readonly kind: 'fields'; readonly fields: Partial<Task> }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'acceptance'; readonly text: string }
  /** A remark for the reader that sets no field. */
  | { readonly kind: 'remark'; readonly text: string }
  /** A label over a list, without content of its own. `isOfNeeds`: the list is what the task depends on. */
  | { readonly kind: 'label'; readonly isOfNeeds: boolean }
  /** An attribute with an unreadable value, or a name that is nearly an attribute's. */
  | { readonly kind: 'invalid'; readonly message: string };

type Field = {
  readonly expected: string;
  /**
   * Returns the fields that the value sets; `null`: the value isn't valid. `plain`: the value without surrounding
   * backticks.
   */
  readonly read: (value: string, plain: string, programs: readonly string[]) => Partial<Task> | null;
  /** Returns a hint that follows the message about an invalid value: the nearest valid one. */
  readonly hint?: (plain: string) => string;
  /** Set if most texts aren't valid values: a valid one then suggests that a similar name is misspelt. */
  readonly isNarrow?: true;
};

/** Recognises a command that isn't marked as code: it begins with a program or a path, or has options or operators. */
const COMMAND =
  /^\.{0,2}\/|^[\w.-]+$|^[\w.-]+\/\S*(?:\s|$)|^\w+=|\s--?[A-Za-z]|[|&;<>$]|^(?:npm|npx|pnpm|yarn|bunx?|deno|node|tsx?|python3?|uv|poetry|pip|go|cargo|make|just|bash|sh|zsh|test|grep|rg|curl|git|docker|mvn|gradle|dotnet|ruby|bundle|rake|php|composer|mix|swift)\s/;

/** Returns the commands of a `Check:` line; `null`: the line is a sentence. */
function readCheck(value: string, _: string, programs: readonly string[]): Partial<Task> | null {
  const set = /^`([^`]+)`$|^``\s*(.+?)\s*``$/.exec(value);
  if (set !== null) return { checks: [set[1] ?? set[2] ?? ''] };
  const isCommand = COMMAND.test(value) || programs.some((name) => value.startsWith(`${name} `));
  return isCommand ? { checks: [value] } : null;
}

const DEPENDENCIES: Field = {
  expected: 'ids of tasks',
  read: (value) => ({ dependsOn: readReferences(value) }),
};
const GATES: Field = { expected: 'names of gates', read: (value) => ({ gates: readNames(value, /,/) }) };
const FILES: Field = {
  expected: 'paths or globs with commas between',
  read: (value) => {
    // Lists may have "none", or a remark after a path, such as "(new)".
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
  // The owner of a task is its assignee, too, as in lists of other formats.
  ['owner', { expected: 'a name', read: (owner) => ({ owner, assignee: owner }) }],
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
/** Names of attributes as messages suggest them. */
const NAMES = [...FIELDS.keys(), 'acceptance', 'acceptance criteria', 'id'];
/** Shortest name for which a name that differs by one edit counts as misspelt instead of as another word. */
const LONG_NAME = 6;

/** Stars or underscores before a name; a single one has to end beside the colon, as in `*Name:* value`. */
const MARKED = String.raw`(?:\*\*|__|([*_])(?=[^*_:]+(?:\1[ \t]*:|:\1)))?`;
const COLON = String.raw`[*_]{0,2}[ \t]*:[*_]{0,2}`;
const LINE = new RegExp(
  String.raw`^${MARKED}(${[...FIELDS.keys()].join('|')}|acceptance(?: criteria)?|id)${COLON}[ \t]*(.*)$`,
  'i',
);
/** How issues name their dependencies: "Depends on #3". */
const DEPENDS_ON_NUMBER =
  /^(?:depends on|blocked by)[ \t]+(#\d+(?:(?:[ \t,;&+|/]|and|or|plus|then)+#\d+)*)\.?$/i;

/** A line in italics, with which Kiro names what a task refers to: `_Requirements: 1.1, 2.3_`. */
const ITALIC = /^([_*])([A-Za-z][A-Za-z _-]{1,24}:[ \t]*[^_*\s].*?)\1$/;
/** A line of the form `Name: value`, with any name. */
const NAMED = new RegExp(String.raw`^${MARKED}([A-Za-z][A-Za-z _-]{1,24}?)${COLON}[ \t]+(.*)$`);

/**
 * Reads an attribute line, given without its bullet; `null`: it is ordinary text.
 *
 * @param among `criteria`: the line is a bullet among criteria, which may be a sentence that begins like an attribute.
 * @param programs Names that begin a command, beside those of common programs.
 */
export function readAttribute(
  line: string,
  among: 'lines' | 'criteria',
  programs: readonly string[],
): Attribute | null {
  if (!line.includes(':') && !line.includes('#')) return null;
  const italic = ITALIC.exec(line)?.[2];
  if (italic !== undefined) {
    const inner = LINE.test(italic) ? readAttribute(italic, among, programs) : null;
    return inner?.kind === 'fields' ? inner : { kind: 'remark', text: italic };
  }
  const number = DEPENDS_ON_NUMBER.exec(line)?.[1];
  if (number !== undefined) return { kind: 'fields', fields: { dependsOn: readReferences(number) } };
  const match = LINE.exec(line);
  if (match === null) return misspelt(line, among);
  const name = (match[2] ?? '').toLowerCase();
  const value = (match[3] ?? '').trim();
  const known = FIELDS.get(name);
  // A list of paths may follow the name. Every other name without a value is a label over a list.
  if (value === '') return known === FILES ? null : { kind: 'label', isOfNeeds: known === DEPENDENCIES };
  const plain = value.replace(/^`(.*)`$/, '$1');
  if (known !== undefined) {
    const fields = known.read(value, plain, programs);
    if (fields !== null) return { kind: 'fields', fields };
    if (among === 'criteria' && isSentence(plain)) return null;
    return invalid(name, value, known.expected, known.hint?.(plain));
  }
  if (name !== 'id') return { kind: 'acceptance', text: value };
  return /^[\p{L}\p{M}\p{N}_.#-]+$/u.test(plain)
    ? { kind: 'id', id: plain }
    : invalid(name, value, 'one word');
}

/** Returns a problem if the name differs little from an attribute's, such as `Dependson`; `null`: it doesn't. */
function misspelt(line: string, among: 'lines' | 'criteria'): Attribute | null {
  const match = NAMED.exec(line);
  const name = (match?.[2] ?? '').trim();
  const value = (match?.[3] ?? '').trim();
  if (value === '') return null;
  const plain = name.toLowerCase();
  const near = NAMES.find((known) => isNear(plain, known, value));
  if (near === undefined) return null;
  if ((among === 'criteria' || near.length < LONG_NAME) && isSentence(value)) return null;
  const shownName = near === 'id' ? 'ID' : capitalized(near);
  return {
    kind: 'invalid',
    message: `there is no attribute ${valueText(name)}. Did you mean "${shownName}:"?`,
  };
}

/**
 * Returns whether a name is probably a misspelt attribute: it differs by one edit; in a short name only by an added,
 * missing or swapped letter ("Dates" isn't "Gates"); by more if no other word takes such a value.
 */
function isNear(name: string, known: string, value: string): boolean {
  if (name[0] !== known[0] || Math.abs(name.length - known.length) > 2) return false;
  const distance = editDistance(name, known);
  if (distance > 1) {
    const field = FIELDS.get(known);
    return field?.isNarrow === true && distance <= 2 && field.read(value, value, []) !== null;
  }
  if (known.length >= LONG_NAME) return true;
  const isSwapped = [...name].sort().join('') === [...known].sort().join('');
  return known.length > 2 && (name.length !== known.length || isSwapped);
}

/** Returns whether the text is longer than a value would be. */
function isSentence(value: string): boolean {
  const words = value.replace(/,\s*|\s+and\s+/g, ',').split(/\s+/);
  return words.length > 2 || (words.length === 2 && !/^\d/.test(value));
}

function field<Key extends keyof Task>(key: Key, value: Task[Key] | null): Partial<Task> | null {
  return value === null ? null : ({ [key]: value } as Partial<Task>);
}

function invalid(name: string, value: string, expected: string, hint = ''): Attribute {
  const after = hint === '' ? '' : `.${hint}`;
  return { kind: 'invalid', message: `${name}: expected ${expected}, found ${valueText(value)}${after}` };
}
