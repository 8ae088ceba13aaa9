import { EMPTY_TASK, type Task } from '../../domain/task.ts';
import { parseTaskReview, TASK_REVIEW_FORM } from '../../lib/actions/task-review.ts';
import { parseDuration } from '../../lib/duration.ts';
import { isObject } from '../../lib/is-object.ts';
import { editDistance } from '../../lib/nearest.ts';
import { EXPECTED, readGrade, readKind, readPriority, readReferences, shown } from '../task-fields.ts';
import type { Draft } from '../tracker-format.ts';
import { DONE_FLAGS, readStatus, type TaskEntry } from './status-plan.ts';

/** Names of a field in files of all kinds of tools, the strongest first. */
const ALIASES = {
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
type Field = keyof typeof ALIASES;

const TEXT = { expected: 'a text' };
const FLAGS = [...DONE_FLAGS, 'blocked'] as const;

/**
 * One task of a JSON or YAML file. Values of a wrong kind are reported and left out, so that a slip in one field
 * does not hide the task. `number` is its 1-based place in the file.
 */
export function readEntry(entry: TaskEntry, number: number): { draft: Draft; problems: EntryProblem[] } {
  const id = textOf(fieldOf(entry, 'id'));
  const description = textsIn(entry, 'description').join('\n\n');
  const title = textOf(fieldOf(entry, 'title')) ?? description.split('\n')[0]?.trim() ?? '';
  const problems: EntryProblem[] = misspeltKeys(entry);
  const say = (field: string, expected: string, found: unknown, hint = ''): void => {
    const key = usedKey(entry, field as Field) ?? field;
    const message = `${field}: expected ${expected}, found ${shown(found)}${hint === '' ? '' : `.${hint}`}`;
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
  const { status, problem } = readStatus(entry);
  if (problem !== null) problems.push({ key: 'status', message: problem });
  const paths = list('expectedPaths');
  const criteria = [...list('acceptance').flatMap(linesOf), ...list('parts')];
  const isTicked = [fieldOf(entry, 'acceptance'), fieldOf(entry, 'parts')].flatMap((value) =>
    Array.isArray(value) ? value.map((one) => isObject(one) && readStatus(one).status === 'done') : [],
  );
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
    status,
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
    owner: single('owner', textOf, TEXT),
    removalApprovedBy: single('removalApprovedBy', textOf, TEXT),
    review: single(
      'review',
      (value) => (typeof value === 'string' && parseTaskReview(value) !== null ? value : null),
      { expected: TASK_REVIEW_FORM },
    ),
    group: single('group', textOf, TEXT),
    notes: [...textsIn(entry, 'notes'), ...partNotes(entry)].join('\n'),
  };
  return { draft: { explicitId: id, task }, problems };
}

function readCommands(value: unknown): string[] | null {
  const commands: unknown[] = Array.isArray(value) ? value : [value];
  const isText = (one: unknown): one is string => typeof one === 'string' && one.trim() !== '';
  return commands.every(isText) ? commands.map((one) => one.trim()) : null;
}

/** Something to fix in an entry, and the key that it is about. */
type EntryProblem = { readonly key: string; readonly message: string };

const KEYS: readonly string[] = [...Object.values(ALIASES).flat(), ...FLAGS, 'status'];
const KNOWN = new Set(KEYS);
/** Keys of a shorter name are too easily another word. */
const MISSPELT_FROM = 5;

/** Keys that are one edit away from a known one; other tools have fields of their own. */
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
      problems.push({ key, message: `there is no field ${shown(key)}. Did you mean ${shown(near)}?` });
  }
  return problems;
}

/** The keys that may hold a field of a task. */
export function keysOf(field: keyof Task): readonly string[] {
  if (field === 'timeoutSeconds') return ALIASES.timeout;
  return field in ALIASES ? ALIASES[field as Field] : [field];
}

function usedKey(entry: TaskEntry, field: Field): string | undefined {
  const names: readonly string[] = ALIASES[field] ?? [];
  return names.find((key) => Object.hasOwn(entry, key));
}

/** What a field is called in the entries of a file, else its first name. */
export function keyFor(entries: readonly TaskEntry[], field: Field): string {
  const used = ALIASES[field].find((key) => entries.some((entry) => Object.hasOwn(entry, key)));
  return used ?? ALIASES[field][0];
}

/** The key that holds an entry's title; `null`: it is made of something else. */
export function titleKey(entry: TaskEntry): string | null {
  return ALIASES.title.find((key) => typeof entry[key] === 'string' && entry[key] !== '') ?? null;
}

/** The first alias that the entry has with a value; `undefined` when it has none. */
function fieldOf(entry: TaskEntry, field: Field): unknown {
  for (const key of ALIASES[field]) {
    // Most keys are missing, and that is faster to see from the value than to ask.
    const value = entry[key];
    if (value === undefined || value === null || value === '') continue;
    if (Object.hasOwn(entry, key)) return value;
  }
  return undefined;
}

/** The texts of all aliases of a field that the entry has, each once; what isn't a text is shown as it is. */
function textsIn(entry: TaskEntry, field: Field): string[] {
  const values = ALIASES[field].map((key) => (Object.hasOwn(entry, key) ? (entry[key] ?? null) : null));
  return [...new Set(values.flatMap((value) => listOf(value) ?? JSON.stringify(value)))];
}

/** What parts say beside their titles: as criteria they would be too long. */
function partNotes(entry: TaskEntry): string[] {
  const parts = fieldOf(entry, 'parts');
  return (Array.isArray(parts) ? parts : []).flatMap((part) => {
    if (!isObject(part)) return [];
    const title = textOf(describedBy(part));
    const texts = [...textsIn(part, 'description'), ...textsIn(part, 'notes')].filter((one) => one !== title);
    return texts.length === 0 ? [] : [`${title ?? 'part'}: ${texts.join(' ')}`];
  });
}

/** A text with a criterion on each of its lines is a list of them. */
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

/** A list of texts; single texts, numbers and objects with a description (criteria with a tick of their own) serve. */
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
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
  const entry = item as TaskEntry;
  // A part of a task has both, and its title is the shorter one.
  if ('status' in entry && typeof entry.title === 'string') return entry.title;
  return entry.description ?? entry.text ?? entry.title ?? entry.criterion ?? entry.id ?? null;
}
