import { isObject } from 'ralph-kit/is-object';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew } from 'ralph-kit/text';
import { isMap, parseDocument } from 'yaml';
import { splitFiles } from '../folder-text.ts';
import { readLines, statusOfMark } from '../markdown/lines.ts';
import type { NewTask } from '../task.ts';
import { readReferences } from '../task-fields.ts';
import {
  DEFAULT_INPUT,
  type ListEdit,
  type ReaderInput,
  type ReadResult,
  type Written,
} from '../task-list.ts';
import { BLOCK_STYLE, changeMembers, type Member } from './edit-members.ts';
import { readEntries } from './read-entries.ts';
import { membersOf } from './read-yaml.ts';
import type { TaskEntry } from './status-plan.ts';

const FRONT = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/;
const WORDS = { open: 'To Do', in_progress: 'In Progress', done: 'Done', blocked: null } as const;
/** Folder to which finished tasks are moved. A task that depends on one of them doesn't wait. */
const COMPLETED = '../completed/';

type TaskFile = { readonly name: string; readonly entry: TaskEntry; readonly members: readonly Member[] };

/** Reads a folder with one file per task: the front matter has the fields, sections below have the work to do. */
export function readFolder(text: string, path: string, { words }: ReaderInput = DEFAULT_INPUT): ReadResult {
  const files: TaskFile[] = [];
  const passedOver: string[] = [];
  for (const { name, text: content, start } of splitFiles(text)) {
    const read = readTaskFile(name, content, start);
    if (typeof read === 'string')
      return {
        ok: false,
        message: `${path}/${name} isn't valid YAML at its top: ${read}. Fix the file, then try again`,
      };
    if (read === null) passedOver.push(name);
    else files.push(read);
  }
  const completed = new Set(files.filter(isCompleted).map(({ entry }) => String(entry.id).toLowerCase()));
  const tasks = files.filter((file) => !isCompleted(file));
  const items = tasks.map(({ entry }) => ({
    ...entry,
    dependencies: references(entry.dependencies).filter((id) => !completed.has(id.toLowerCase())),
  }));
  const reading = readEntries(
    'backlog',
    { items },
    { doneKey: 'status', blockedKey: 'status', words: WORDS },
    () => null,
    {
      keys: (place, changes) => changeMembers(text, tasks[place]?.members ?? [], changes, BLOCK_STYLE),
      text: (place, key, value) => {
        const member = tasks[place]?.members.findLast((one) => one.key === key);
        return member?.scalar !== true
          ? null
          : [{ from: member.from, to: member.to, text: JSON.stringify(value) }];
      },
      add: () => null,
      remove: () => null,
    },
    words,
  );
  const message = `without an id at their top, these files aren't tasks: ${firstFew(passedOver, 5)}`;
  const remarks = passedOver.length === 0 ? [] : [{ line: null, message, of: null }];
  const fileOf = new Map(tasks.map(({ name, entry }) => [String(entry.id), name]));
  const drafts = reading.drafts.map((draft) => ({
    ...draft,
    file: fileOf.get(draft.explicitId ?? '') ?? path,
  }));
  const edit = (change: ListEdit): Written => {
    if (change.kind === 'retitle') return reading.edit(change);
    // Numbers are given over branches, drafts and archives, which aren't read here.
    const message = 'Backlog.md gives its files their numbers and names';
    const id = change.kind === 'add' ? '' : (drafts[change.index]?.explicitId ?? '');
    const command = change.kind === 'add' ? createCommand(change.task) : `backlog task archive ${id}`;
    return { kind: 'failed', message, command };
  };
  const problems = [...reading.problems, ...remarks];
  return { ok: true, reading: { ...reading, drafts, problems, edit } };
}

function createCommand({ title, dependsOn, acceptance }: NewTask): string {
  const needs = dependsOn.length === 0 ? '' : ` --depends-on ${shellQuote(dependsOn.join(','))}`;
  const criteria = acceptance.map((one) => ` --ac ${shellQuote(one)}`).join('');
  return `backlog task create ${shellQuote(title)}${needs}${criteria}`;
}

const isCompleted = ({ name }: TaskFile) => name.startsWith(COMPLETED);

function references(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value ?? '']).flatMap((one: unknown) =>
    readReferences(String(one)),
  );
}

/** Returns a task; `null`: the file isn't a task; a text: what is wrong with the file. */
function readTaskFile(name: string, content: string, start: number): TaskFile | string | null {
  const [whole = '', head = '', front = ''] = FRONT.exec(content) ?? [];
  if (whole === '') return null;
  const document = parseDocument(front);
  const [error] = document.errors;
  if (error !== undefined) return error.message.split('\n')[0] ?? '';
  const data: unknown = document.toJS();
  const members = isMap(document.contents) ? membersOf(document.contents) : null;
  if (!isObject(data) || members === null || data.id === undefined) return null;
  const by = start + head.length;
  return {
    name,
    entry: { ...data, ...sectionsOf(content.slice(whole.length)) },
    members: members.map((member) => ({
      ...member,
      keyFrom: member.keyFrom + by,
      keyTo: member.keyTo + by,
      from: member.from + by,
      to: member.to + by,
    })),
  };
}

/**
 * Returns an entry from a file's sections: boxes are criteria, one section is the description, and text below other
 * headings goes to the notes.
 */
function sectionsOf(text: string): TaskEntry {
  const description: string[] = [];
  const notes: string[] = [];
  const acceptance: { title: string; status: string }[] = [];
  let section = 'description';
  const raw = text.split(/\r?\n/);
  for (const line of readLines(text).lines) {
    if (line.kind === 'heading' && line.level === 2) section = line.text.toLowerCase();
    const isCriteria = /^(?:acceptance criteria|definition of done)\b/.test(section);
    if (isCriteria && line.kind === 'box')
      acceptance.push({ title: line.text.replace(/^#\d+\s+/, ''), status: statusOfMark(line.mark) });
    else if (
      line.kind !== 'blank' &&
      !(line.kind === 'heading' && /^(?:description|acceptance|definition)/.test(section))
    )
      (section === 'description' || isCriteria ? description : notes).push(raw[line.number - 1] ?? '');
  }
  return {
    description: description.join('\n'),
    acceptance,
    notes: notes.join('\n'),
  };
}
