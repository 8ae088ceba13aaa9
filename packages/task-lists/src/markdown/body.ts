import { EMPTY_TASK, type Task } from '../task.ts';
import { readReferences } from '../task-fields.ts';
import { readAttribute } from './attributes.ts';
import { type LineProblem, type MarkdownLine, statusOfMark } from './lines.ts';
import { withinStrikes } from './title.ts';

type Entry = {
  readonly kind: 'box' | 'bullet' | 'text';
  text: string;
  readonly indent: number;
  readonly ticked: boolean;
  /** Whether it stands in a list of what the task depends on. */
  readonly isNeed: boolean;
};

/** Content below a task, collected line by line. */
export type Body = {
  /** Names of programs that begin a command (`ReaderInput`). */
  readonly programs: readonly string[];
  /** Whether a box with a mark for blocked is left out; otherwise a box says only whether it is ticked. */
  readonly leavesOut: boolean;
  /** Texts of boxes and bullets that the list leaves out, those of boxes with their mark. */
  readonly without: string[];
  /** Columns of the last of these, whose deeper lines are left out, too; `null`: the line belongs to no such box. */
  withoutAt: number | null;
  /** Columns of the label over a list of what the task depends on, while its items follow; `null`: none is open. */
  needsAt: number | null;
  explicitId: string | null;
  readonly fields: Partial<Task>;
  readonly entries: Entry[];
  /** Line of each field that is set; `null`: none is. */
  lines: Partial<Record<keyof Task, number>> | null;
  readonly problems: LineProblem[];
  /** Whether one of the task's boxes has a mark other than open and done. */
  isMarked: boolean;
  /** Whether the task has headings of its own, which no field keeps. */
  hasHeadings: boolean;
  /** The bullet that an indented text line continues; `null`: there is none. */
  open: Entry | null;
};

export function newBody(programs: readonly string[], leavesOut = false): Body {
  return {
    programs,
    leavesOut,
    without: [],
    withoutAt: null,
    needsAt: null,
    explicitId: null,
    fields: {},
    lines: null,
    entries: [],
    problems: [],
    isMarked: false,
    hasHeadings: false,
    open: null,
  };
}

/** Adds a line that belongs to the task. Headings aren't kept. */
export function addLine(body: Body, line: MarkdownLine): void {
  if (line.kind !== 'blank' && body.withoutAt !== null) {
    if (line.indent > body.withoutAt) return;
    body.withoutAt = null;
  }
  if (line.kind !== 'blank' && line.indent < (body.needsAt ?? 0)) body.needsAt = null;
  switch (line.kind) {
    case 'heading':
      body.hasHeadings = true;
      return;
    case 'blank':
      body.open = null;
      return;
    case 'code':
      add(body, 'text', line.text, line.indent);
      return;
    case 'box':
      if (body.leavesOut && line.malformed === null && statusOfMark(line.mark) === 'blocked')
        leaveOut(body, line, `${line.text} ([${line.mark}])`);
      else if (withinStrikes(line.text) !== null && statusOfMark(line.mark) !== 'done')
        leaveOut(body, line, line.text);
      else if (line.text !== '') add(body, 'box', line.text, line.indent, statusOfMark(line.mark) === 'done');
      if (line.malformed !== null || !/[ xX]/.test(line.mark)) body.isMarked = true;
      return;
    case 'bullet':
      if (withinStrikes(line.text) !== null) leaveOut(body, line, line.text);
      else if (!takeAttribute(body, line, 'criteria')) add(body, 'bullet', line.text, line.indent);
      return;
    case 'text':
      if (takeAttribute(body, line, 'lines')) return;
      if (body.open !== null && line.indent >= body.open.indent + 2) body.open.text += ` ${line.text}`;
      else add(body, 'text', line.text, line.indent);
      return;
  }
}

function leaveOut(body: Body, { indent }: MarkdownLine, what: string): void {
  body.without.push(what);
  body.withoutAt = indent;
  body.open = null;
}

type TaskHead = Pick<Task, 'id' | 'title' | 'status' | 'priority' | 'group'>;

/**
 * Returns the task. Fields in its own line (`head`) come first, then collected ones, then defaults. Check boxes are
 * acceptance criteria; so are plain bullets, unless `bulletsAre` adds them to the description.
 */
export function finishBody(
  body: Body | null,
  bulletsAre: 'acceptance' | 'description',
  head: TaskHead,
  isTask: (reference: string) => boolean,
): Task {
  const fields = body?.fields ?? {};
  const needs = needsIn(body?.entries ?? [], isTask);
  const acceptance: string[] = [];
  const ticked: number[] = [];
  const description = fields.description === undefined ? [] : [fields.description];
  for (const entry of body?.entries ?? []) {
    const { kind, text } = entry;
    if (needs.has(entry)) continue;
    if (kind === 'text') description.push(text);
    else if (kind === 'box' || bulletsAre === 'acceptance') {
      if (entry.ticked) ticked.push(acceptance.length);
      acceptance.push(text);
    } else description.push(`- ${text}`);
  }
  // Fields are written out, and empty lists shared, because copying large objects is slow for ten thousand tasks.
  return {
    ...EMPTY_TASK,
    ...fields,
    ...head,
    dependsOn: [...new Set([...(fields.dependsOn ?? []), ...[...needs.values()].flat()])],
    priority: fields.priority ?? head.priority,
    description: description.join('\n'),
    acceptance,
    ticked,
    without: body?.without ?? [],
  };
}

/** Returns whether a reference names a task of a list with these ids, or an issue (`#12`). */
export function taskTest(ids: readonly (string | null)[]): (reference: string) => boolean {
  const known = new Set(ids.flatMap((id) => id?.toLowerCase() ?? []));
  return (reference) => /^#\d+$/.test(reference) || known.has(reference.toLowerCase());
}

function add(body: Body, kind: Entry['kind'], text: string, indent: number, ticked = false): void {
  const isNeed = kind !== 'text' && body.needsAt !== null;
  const entry: Entry = { kind, text, indent, ticked, isNeed };
  body.entries.push(entry);
  body.open = kind === 'text' ? null : entry;
}

/** An item that may be a reference alone: an id, maybe with words behind it. */
const REFERENCE = /^[*_`[(]*(#?[\w.-]*\d[\w.-]*)[*_`\])]*(?=[:\s]|$)/;

const WORDS = /^\s+\p{L}/u;

/**
 * Returns the references in a list of what the task depends on, by their entries. Such a list may also say what has to
 * be installed, so that it counts only if it names a task.
 */
function needsIn(
  entries: readonly Entry[],
  isTask: (reference: string) => boolean,
): ReadonlyMap<Entry, readonly string[]> {
  const found = entries.flatMap((entry): [Entry, string[]][] => {
    const [whole = '', first = ''] = REFERENCE.exec(entry.text) ?? [];
    // A box with an id and words right behind it is a criterion about that task; issues stand with their titles.
    const isProse =
      entry.kind === 'box' && !first.startsWith('#') && WORDS.test(entry.text.slice(whole.length));
    if (!entry.isNeed || isProse) return [];
    const all = readReferences(entry.text);
    if (all.length > 0 && all.every((one) => isTask(one))) return [[entry, all]];
    return first === '' ? [] : [[entry, [first]]];
  });
  return new Map(found.some(([, all]) => all.some(isTask)) ? found : []);
}

/** Joins what all `Check:` lines, and all lines of dependencies, say. For other fields, the last line counts. */
function withEarlier(before: Partial<Task>, fields: Partial<Task>): Partial<Task> {
  if (fields.checks !== undefined) return { checks: [...(before.checks ?? []), ...fields.checks] };
  if (fields.dependsOn === undefined) return fields;
  return { dependsOn: [...new Set([...(before.dependsOn ?? []), ...fields.dependsOn])] };
}

/** Returns whether the line was an attribute. An attribute with an invalid value is reported and stays text. */
function takeAttribute(
  body: Body,
  { text, number: line, indent, kind }: Extract<MarkdownLine, { kind: 'bullet' | 'text' }>,
  among: 'lines' | 'criteria',
): boolean {
  const attribute = readAttribute(text, among, body.programs);
  if (attribute === null) return false;
  body.needsAt = null;
  switch (attribute.kind) {
    case 'fields':
      Object.assign(body.fields, withEarlier(body.fields, attribute.fields));
      body.lines ??= {};
      for (const key in attribute.fields)
        if (key !== 'dependsOn') body.lines[key as keyof Task] = line;
        else body.lines.dependsOn ??= line;
      break;
    case 'id':
      body.explicitId ??= attribute.id;
      break;
    case 'acceptance':
      add(body, 'box', attribute.text, 0);
      break;
    case 'remark':
      body.fields.notes = [body.fields.notes, attribute.text].filter(Boolean).join('\n');
      break;
    case 'label':
      if (!attribute.isOfNeeds) break;
      // Items of the list below a bullet are indented; below a plain line they needn't be.
      body.needsAt = kind === 'bullet' ? indent + 1 : indent;
      body.lines ??= {};
      body.lines.dependsOn ??= line;
      break;
    case 'invalid':
      body.problems.push({ line, message: attribute.message });
      return false;
  }
  body.open = null;
  return true;
}
