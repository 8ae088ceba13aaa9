import { parseTaskReview, TASK_REVIEW_FORM } from 'ralph-kit/actions/task-review';
import { parseDuration } from 'ralph-kit/duration';
import { isObject } from 'ralph-kit/is-object';
import { editDistance } from 'ralph-kit/nearest';
import { EMPTY_TASK, type Task } from '../task.ts';
import { EXPECTED, readGrade, readKind, readPriority, readReferences, valueText } from '../task-fields.ts';
import type { Draft } from '../task-list.ts';
import { BUILT_IN, type Words } from '../words.ts';
import { DONE_FLAGS, readStatus, type TaskEntry } from './status-plan.ts';

/** Names of each field in files of many tools, the preferred one first. */
export const ALIASES = {
  id: ['id', 'story_id', 'storyId', 'task_id', 'taskId', 'key', 'number'],
  title: ['title', 'name', 'summary'],
  description: ['description', 'details', 'body'],
  acceptance: ['acceptance', 'acceptanceCriteria', 'acceptance_criteria', 'criteria', 'steps'],
  parts: ['subtasks'],
  dependsOn: ['dependsOn', 'depends_on', 'dependencies', 'deps', 'blockedBy', 'blocked_by'],
  priority: ['priority'],
  group: ['group', 'epic', 'phase', 'category', 'milestone'],
  notes: ['notes', 'note', 'testStrategy', 'test_strategy', 'design', 'references', 'documentation'],
  complexity: ['complexity'],
  timeout: ['timeout', 'timeout_seconds', 'timeoutSeconds'],
  kind: ['kind'],
  expectedPaths: ['expectedPaths', 'expected_paths', 'files', 'paths'],
  constraints: ['constraints'],
  boundaries: ['boundaries'],
  goals: ['goals'],
  gates: ['gates'],
  checks: ['checks'],
  proof: ['proof'],
  owner: ['owner'],
  removalApprovedBy: ['removalApprovedBy', 'removal_approved_by'],
  review: ['review'],
} as const;
export type Field = keyof typeof ALIASES;
/** Keys with which tools write the creation time of a task. */
const CREATED = ['created_date', 'created_at', 'createdAt', 'created'];

const TEXT = { expected: 'a text' };
const FLAGS = [...DONE_FLAGS, 'blocked'] as const;

/**
 * Reads one task of a JSON or YAML file. Values of a wrong type are reported and left out, so that one mistake doesn't
 * hide the task.
 * @param number Position in the file, from 1.
 */
export function readEntry(
  entry: TaskEntry,
  number: number,
  knownWords: Words = BUILT_IN,
): { draft: Draft; problems: EntryProblem[] } {
  const id = textOf(fieldOf(entry, 'id'));
  const description = textsIn(entry, 'description').join('\n\n');
  const written = textOf(fieldOf(entry, 'title')) ?? description.split('\n')[0]?.trim() ?? '';
  const title = written.replace(/\s*\r?\n\s*/g, ' ');
  const problems: EntryProblem[] = misspeltKeys(entry);
  const say = (field: string, expected: string, found: unknown, hint = ''): void => {
    const key = usedKey(entry, field as Field) ?? field;
    const message = `${field}: expected ${expected}, found ${valueText(found)}${hint === '' ? '' : `.${hint}`}`;
    problems.push({ key, message });
  };
  const list = (field: Field): string[] => {
    const value = fieldOf(entry, field);
    const items = value === undefined ? [] : listOf(value);
    if (items === null) say(field, 'a list of texts', value);
    return items ?? [];
  };
  const single = <T>(
    field: Field,
    read: (value: unknown) => T | null,
    { expected, hint }: { readonly expected: string; readonly hint?: (text: string) => string },
  ): T | null => {
    const value = fieldOf(entry, field);
    if (value === undefined) return null;
    const result = read(value);
    if (result === null) say(field, expected, value, typeof value === 'string' ? hint?.(value) : '');
    return result;
  };

  for (const flag of FLAGS) {
    const value = entry[flag];
    if (value !== undefined && value !== null && typeof value !== 'boolean')
      say(flag, 'true or false', value);
  }
  if (title === '') problems.push({ key: 'title', message: 'there is no title' });
  const { status, left } = readStatus(entry, knownWords);
  const paths = list('expectedPaths');
  const parts = partsOf(entry, knownWords);
  // A done task keeps all of its subtasks; for others, the subtasks that are still open are the criteria.
  const given = parts?.filter(({ state }) => status === 'done' || state === 'open') ?? null;
  const wanted = given?.map(({ title: part }) => part) ?? list('parts');
  const criteria = [...list('acceptance').flatMap(linesOf), ...wanted];
  const acceptance = fieldOf(entry, 'acceptance');
  const isTicked = [
    ...(Array.isArray(acceptance)
      ? acceptance.map((one) => isObject(one) && readStatus(one, knownWords).status === 'done')
      : []),
    ...wanted.map((_, at) => given?.[at]?.state === 'over'),
  ];
  const owner = single('owner', textOf, TEXT);
  const references = list('dependsOn');
  const task: Task = {
    ...EMPTY_TASK,
    title: title === '' ? `Task ${id ?? number}` : title,
    description,
    acceptance: criteria,
    ticked:
      isTicked.length === criteria.length ? criteria.flatMap((_, at) => (isTicked[at] ? [at] : [])) : [],
    dependsOn: references.length === 0 ? references : [...new Set(references.flatMap(readReferences))],
    priority: single('priority', readPriority, EXPECTED.priority),
    status: status === 'given_up' ? 'parked' : status,
    left,
    without: (parts ?? []).flatMap(({ state, title: part, word }) =>
      state === 'left' ? [`${part} (${word})`] : [],
    ),
    kind: single('kind', readKind, EXPECTED.kind) ?? 'build',
    expectedPaths: paths.length > 0 ? paths : null,
    complexity: single('complexity', textOf, TEXT),
    timeoutSeconds: single(
      'timeout',
      (value) => (typeof value === 'number' || typeof value === 'string' ? parseDuration(value) : null),
      EXPECTED.timeout,
    ),
    constraints: list('constraints'),
    boundaries: list('boundaries'),
    goals: list('goals'),
    gates: list('gates'),
    checks: single('checks', readCommands, { expected: 'a command or a list of commands' }) ?? [],
    proof: single('proof', readGrade, EXPECTED.proof),
    owner,
    notBefore: textOf(entry.defer_until),
    assignee: Object.hasOwn(entry, 'assignee') ? namesOf(entry.assignee) : owner,
    removalApprovedBy: single('removalApprovedBy', textOf, TEXT),
    review: single(
      'review',
      (value) => (typeof value === 'string' && parseTaskReview(value) !== null ? value : null),
      { expected: TASK_REVIEW_FORM },
    ),
    group: single('group', textOf, TEXT),
    notes: [...textsIn(entry, 'notes'), ...partNotes(given ?? [])].join('\n'),
  };
  const created = textOf(CREATED.map((key) => entry[key]).find((value) => value !== undefined));
  return { draft: { explicitId: id, task, created }, problems };
}

function readCommands(value: unknown): string[] | null {
  const commands: unknown[] = Array.isArray(value) ? value : [value];
  const isText = (one: unknown): one is string => typeof one === 'string' && one.trim() !== '';
  return commands.every(isText) ? commands.map((one) => one.trim()) : null;
}

/** A problem with an entry, and the key that has it. */
type EntryProblem = { readonly key: string; readonly message: string };

const KEYS: readonly string[] = [...Object.values(ALIASES).flat(), ...FLAGS, 'status', 'assignee'];
const KNOWN = new Set(KEYS);
/** Shortest key that is checked for typing errors, because a short one is too often a different word. */
const MISSPELT_FROM = 5;

/** Returns problems with keys that differ by one edit from a known key. Other keys may be fields of other tools. */
function misspeltKeys(entry: TaskEntry): EntryProblem[] {
  const problems: EntryProblem[] = [];
  for (const key of Object.keys(entry)) {
    if (KNOWN.has(key) || key.length < MISSPELT_FROM || key.length > 30) continue;
    const plain = key.toLowerCase();
    const near = KEYS.find(
      (known) =>
        known.length >= MISSPELT_FROM &&
        known[0] === plain[0] &&
        Math.abs(known.length - key.length) <= 1 &&
        editDistance(plain, known.toLowerCase()) <= 1,
    );
    if (near !== undefined)
      problems.push({
        key,
        message: `there is no field ${valueText(key)}. Did you mean ${valueText(near)}?`,
      });
  }
  return problems;
}

/** Returns the keys that may have this field of a task. */
export function keysOf(field: keyof Task): readonly string[] {
  if (field === 'timeoutSeconds') return ALIASES.timeout;
  return field in ALIASES ? ALIASES[field as Field] : [field];
}

function usedKey(entry: TaskEntry, field: Field): string | undefined {
  const names: readonly string[] = ALIASES[field] ?? [];
  return names.find((key) => Object.hasOwn(entry, key));
}

/** Returns the key with which the file's entries write a field, otherwise the preferred name. */
export function keyFor(entries: readonly TaskEntry[], field: Field): string {
  const used = ALIASES[field].find((key) => entries.some((entry) => Object.hasOwn(entry, key)));
  return used ?? ALIASES[field][0];
}

/** Returns the key that has the entry's title; `null`: the title is made from other keys. */
export function titleKey(entry: TaskEntry): string | null {
  return ALIASES.title.find((key) => typeof entry[key] === 'string' && entry[key] !== '') ?? null;
}

/** Returns the value of the first alias of a field that the entry has; `undefined`: it has none. */
export function fieldOf(entry: TaskEntry, field: Field): unknown {
  for (const key of ALIASES[field]) {
    // Most keys are missing. Reading the value shows that faster than asking for the key.
    const value = entry[key];
    if (value === undefined || value === null || value === '') continue;
    if (Object.hasOwn(entry, key)) return value;
  }
  return undefined;
}

/** Returns the texts of all aliases of a field in the entry, each once. Other values are converted to text. */
function textsIn(entry: TaskEntry, field: Field): string[] {
  const values = ALIASES[field].map((key) => (Object.hasOwn(entry, key) ? (entry[key] ?? null) : null));
  return [...new Set(values.flatMap((value) => listOf(value) ?? JSON.stringify(value)))];
}

/**
 * A subtask of an entry. `open`: it is a criterion; `left`: the list leaves it out, with its word; `over`: it is done
 * or given up.
 */
export type Part = {
  readonly at: number;
  readonly title: string;
  readonly word: string;
  readonly state: 'open' | 'left' | 'over';
  readonly part: TaskEntry | null;
};

/** Returns the subtasks of an entry; `null`: there are none that can be read. */
export function partsOf(entry: TaskEntry, knownWords: Words): readonly Part[] | null {
  const value = fieldOf(entry, 'parts');
  if (!Array.isArray(value)) return null;
  const parts = value.flatMap((one: unknown, at): (Part | null)[] => {
    if (one === null || one === '') return [];
    const title = textOf(one) ?? textOf(describedBy(one));
    if (title === null) return [null];
    if (!isObject(one)) return [{ at, title, word: '', state: 'open', part: null }];
    const { status } = readStatus(one, knownWords);
    const isOver = status === 'done' || status === 'given_up';
    const state = isOver ? 'over' : status === 'blocked' || status === 'parked' ? 'left' : 'open';
    return [{ at, title, word: textOf(one.status) ?? status, state, part: one }];
  });
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

/** Returns the names in a field for one or several people; `null`: it has none. */
function namesOf(value: unknown): string | null {
  const names = (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
  return names.length === 0 ? null : names.join(', ');
}

/** Returns notes on subtasks, whose text beside the title would be too long for a criterion. */
function partNotes(parts: readonly Part[]): string[] {
  return parts.flatMap(({ part, title }) => {
    if (part === null) return [];
    const texts = [...textsIn(part, 'description'), ...textsIn(part, 'notes')].filter((one) => one !== title);
    return texts.length === 0 ? [] : [`${title}: ${texts.join(' ')}`];
  });
}

/** Returns the lines of a text that has one criterion per line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const bullet = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
  return lines.length > 1 && lines.every((line) => bullet.test(line))
    ? lines.map((line) => line.replace(bullet, '').trim())
    : [text];
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return null;
}

/**
 * Returns a list of texts. Accepts also a single text, numbers, and objects with a description, which are criteria with
 * their own tick.
 */
function listOf(value: unknown): string[] | null {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const texts: string[] = [];
  for (const item of items) {
    if (item === null || item === '') continue;
    const text = textOf(item) ?? textOf(describedBy(item));
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}

function describedBy(item: unknown): unknown {
  const key = isObject(item) ? describedKey(item) : null;
  return isObject(item) && key !== null ? item[key] : null;
}

/** Returns the key with the text of a criterion or subtask; `null`: it has none. */
export function describedKey(item: TaskEntry): string | null {
  // A subtask has both a title and a description. The title is shorter.
  if ('status' in item && typeof item.title === 'string') return 'title';
  return (
    ['description', 'text', 'title', 'criterion', 'id'].find((key) => (item[key] ?? null) !== null) ?? null
  );
}
