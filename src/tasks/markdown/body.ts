import { EMPTY_TASK, type Task } from '../../domain/task.ts';
import { readAttribute } from './attributes.ts';
import { type LineProblem, type MarkdownLine, statusOfMark } from './lines.ts';

type Entry = {
  readonly kind: 'box' | 'bullet' | 'text';
  text: string;
  readonly indent: number;
  readonly ticked: boolean;
};

/** What stands below a task, gathered line by line. */
export type Body = {
  explicitId: string | null;
  readonly fields: Partial<Task>;
  readonly entries: Entry[];
  /** The line of each field that is given. */
  lines: Partial<Record<keyof Task, number>> | null;
  readonly problems: LineProblem[];
  /** The bullet that a deeper line of text continues. */
  open: Entry | null;
};

export function newBody(): Body {
  return { explicitId: null, fields: {}, lines: null, entries: [], problems: [], open: null };
}

/** Adds a line that belongs to the task; headings never do. */
export function addLine(body: Body, line: MarkdownLine): void {
  switch (line.kind) {
    case 'heading':
      return;
    case 'blank':
      body.open = null;
      return;
    case 'code':
      add(body, 'text', line.text, line.indent);
      return;
    case 'box':
      if (line.text !== '') add(body, 'box', line.text, line.indent, statusOfMark(line.mark) === 'done');
      return;
    case 'bullet':
      if (!takeAttribute(body, line.text, line.number, 'criteria'))
        add(body, 'bullet', line.text, line.indent);
      return;
    case 'text':
      if (takeAttribute(body, line.text, line.number, 'lines')) return;
      if (body.open !== null && line.indent >= body.open.indent + 2) body.open.text += ` ${line.text}`;
      else add(body, 'text', line.text, line.indent);
      return;
  }
}

/**
 * The task: what its own line says (`head`), then the gathered fields, then the defaults. Check boxes are acceptance
 * criteria; so are plain bullets, unless `bulletsAre` makes them part of the description.
 */
export function finishBody(
  body: Body | null,
  bulletsAre: 'acceptance' | 'description',
  head: Pick<Task, 'id' | 'title' | 'status' | 'priority' | 'group'>,
): Task {
  const fields = body?.fields ?? {};
  const acceptance: string[] = [];
  const ticked: number[] = [];
  const description = fields.description === undefined ? [] : [fields.description];
  for (const entry of body?.entries ?? []) {
    const { kind, text } = entry;
    if (kind === 'text') description.push(text);
    else if (kind === 'box' || bulletsAre === 'acceptance') {
      if (entry.ticked) ticked.push(acceptance.length);
      acceptance.push(text);
    } else description.push(`- ${text}`);
  }
  // Written out and with shared empty lists: ten thousand tasks feel each copy of an object of this size.
  return {
    ...EMPTY_TASK,
    ...fields,
    ...head,
    priority: fields.priority ?? head.priority,
    description: description.join('\n'),
    acceptance,
    ticked,
  };
}

function add(body: Body, kind: Entry['kind'], text: string, indent: number, ticked = false): void {
  const entry: Entry = { kind, text, indent, ticked };
  body.entries.push(entry);
  body.open = kind === 'text' ? null : entry;
}

/** Each `Check:` line adds one; of every other field the last line counts. */
function withEarlierChecks({ checks }: Partial<Task>, fields: Partial<Task>): Partial<Task> {
  return fields.checks === undefined ? fields : { checks: [...(checks ?? []), ...fields.checks] };
}

/** Whether the line was an attribute; one that can't be read is reported, and stays text. */
function takeAttribute(body: Body, text: string, line: number, among: 'lines' | 'criteria'): boolean {
  const attribute = readAttribute(text, among);
  if (attribute === null) return false;
  switch (attribute.kind) {
    case 'fields':
      Object.assign(body.fields, withEarlierChecks(body.fields, attribute.fields));
      body.lines ??= {};
      for (const key in attribute.fields) body.lines[key as keyof Task] = line;
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
      break;
    case 'invalid':
      body.problems.push({ line, message: attribute.message });
      return false;
  }
  body.open = null;
  return true;
}
