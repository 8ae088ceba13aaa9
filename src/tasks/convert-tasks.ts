import { EMPTY_TASK, type Task } from '../domain/task.ts';
import type { ConvertFormat } from '../lib/convert-formats.ts';
import { firstFew } from '../lib/text.ts';
import { trackerReader } from './formats.ts';
import { markOfStatus } from './markdown/lines.ts';
import { splitId } from './markdown/title.ts';
import { parseTracker } from './tracker-text.ts';

/** The name of a file of each form. */
const FILE_NAMES: Readonly<Record<ConvertFormat, string>> = {
  markdown: 'PRD.md',
  json: 'prd.json',
  yaml: 'tasks.yaml',
  'task-master': 'tasks.json',
};

export type Converted = {
  readonly text: string;
  /** What the form can't say: read again, the text differs from the list by it. */
  readonly lost: readonly string[];
};

/** The tasks as a list of another form. What it loses is found by reading it again. */
export async function convertTasks(given: readonly Task[], format: ConvertFormat): Promise<Converted> {
  // What is ticked and not verified is ticked in the other list, too.
  const listed = given.map(
    (task): Task => ({ ...task, status: task.status === 'unverified' ? 'done' : task.status }),
  );
  const tasks = format === 'task-master' ? withNumbers(listed) : listed;
  const text = await WRITERS[format](tasks);
  const path = FILE_NAMES[format];
  const again = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
  const renamed = listed.flatMap(({ id }, at) => (tasks[at]?.id === id ? [] : [`${id} is ${tasks[at]?.id}`]));
  const numbers = renamed.length === 0 ? [] : [`ids are numbers there: ${firstFew(renamed, 8)}`];
  // Without a new number for it, what isn't in the list can't be waited for.
  const unnamed = listed.flatMap(({ dependsOn }, at) =>
    dependsOn.length === tasks[at]?.dependsOn.length ? [] : [tasks[at]?.id ?? ''],
  );
  if (unnamed.length > 0) numbers.push(`dependsOn of ${firstFew(unnamed, 8)}`);
  return { text, lost: [...numbers, ...(again.ok ? differences(tasks, again.tasks) : [again.message])] };
}

const WRITERS: Readonly<Record<ConvertFormat, (tasks: readonly Task[]) => string | Promise<string>>> = {
  markdown: markdownOf,
  json: (tasks) => jsonText({ tasks: tasks.map(entryOf) }),
  yaml: async (tasks) => (await import('./entries/write-yaml.ts')).yamlText({ tasks: tasks.map(entryOf) }),
  'task-master': (tasks) => jsonText({ master: { tasks: tasks.map(masterEntryOf), metadata: {} } }),
};

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** By field, the tasks that read otherwise. */
function differences(before: readonly Task[], now: readonly Task[]): string[] {
  if (before.length !== now.length) return [`${before.length} tasks read as ${now.length}`];
  return (Object.keys(EMPTY_TASK) as (keyof Task)[]).flatMap((field) => {
    if (field === 'problem') return [];
    const ids = before.flatMap((task, at) =>
      JSON.stringify(task[field]) === JSON.stringify(now[at]?.[field]) ? [] : [task.id],
    );
    return ids.length === 0 ? [] : [`${field} of ${firstFew(ids, 8)}`];
  });
}

/** Only what the task says. */
function entryOf(task: Task): object {
  const { id, title, status, acceptance, ticked, timeoutSeconds, kind, notes, problem: _, ...fields } = task;
  const criteria = acceptance.map((text, at) =>
    ticked.length === 0 ? text : { title: text, status: ticked.includes(at) ? 'done' : 'open' },
  );
  const fieldValues = {
    ...{ id, title, status, acceptance: criteria, ...fields, notes },
    ...{ timeout: timeoutSeconds, kind: kind === EMPTY_TASK.kind ? null : kind },
  };
  const isGiven = (value: unknown) =>
    value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fieldValues).filter(([, value]) => isGiven(value)));
}

const MASTER_STATUS: Readonly<Record<string, string>> = {
  open: 'pending',
  in_progress: 'in-progress',
  parked: 'deferred',
};
const MASTER_PRIORITY: Readonly<Record<number, string>> = { 1: 'high', 2: 'medium', 3: 'low' };

function masterEntryOf(task: Task): object {
  const { id, title, description, status, dependsOn, priority, notes, acceptance, ticked } = task;
  const level = priority === null ? undefined : MASTER_PRIORITY[priority];
  return {
    ...{ id: Number(id), title, description, details: '', testStrategy: notes },
    ...{ status: MASTER_STATUS[status] ?? status, dependencies: dependsOn.map(Number) },
    ...(level === undefined ? {} : { priority: level }),
    subtasks: acceptance.map((text, at) => ({
      ...{ id: at + 1, title: text, description: '', details: '', dependencies: [] },
      status: ticked.includes(at) ? 'done' : 'pending',
    })),
  };
}

/** With numbers for ids, as task-master asks for. */
function withNumbers(tasks: readonly Task[]): readonly Task[] {
  if (tasks.every(({ id }) => /^[1-9]\d*$/.test(id))) return tasks;
  const numbers = new Map(tasks.map(({ id }, at) => [id, String(at + 1)]));
  return tasks.map((task) => ({
    ...task,
    id: numbers.get(task.id) ?? '',
    dependsOn: task.dependsOn.flatMap((id) => numbers.get(id) ?? []),
  }));
}

function markdownOf(tasks: readonly Task[]): string {
  let group: string | null = null;
  const lines = tasks.flatMap((task) => {
    const heading = task.group !== null && task.group !== group ? ['', `### ${task.group}`, ''] : [];
    group = task.group;
    return [...heading, ...markdownLines(task)];
  });
  return `## Tasks\n\n${lines.join('\n')}\n`;
}

function markdownLines(task: Task): string[] {
  const { id, title, status, acceptance, ticked, checks } = task;
  const named = `**${id}** ${title}`;
  const isOwn = splitId(named).id === id;
  const attributes: readonly (readonly [name: string, value: string])[] = [
    ['ID', isOwn ? '' : id],
    ['Depends on', task.dependsOn.join(', ')],
    ['Priority', task.priority === null ? '' : String(task.priority)],
    ['Timeout', task.timeoutSeconds === null ? '' : `${task.timeoutSeconds}s`],
    ['Complexity', task.complexity ?? ''],
    ['Kind', task.kind === EMPTY_TASK.kind ? '' : task.kind],
    ['Files', task.expectedPaths?.join(', ') ?? ''],
    ['Gates', task.gates.join(', ')],
    ...checks.map((check) => ['Check', `\`${check}\``] as const),
    ['Proof', task.proof ?? ''],
    ['Owner', task.owner ?? ''],
    ['Removal approved by', task.removalApprovedBy ?? ''],
    ['Review', task.review ?? ''],
    ['Constraints', task.constraints.join('; ')],
    ['Boundaries', task.boundaries.join('; ')],
    ['Goals', task.goals.join('; ')],
    ['Notes', onOneLine(task.notes)],
  ];
  return [
    `- [${(status === 'unverified' ? null : markOfStatus(status)) ?? ' '}] ${isOwn ? named : title}`,
    ...descriptionLines(task.description),
    ...attributes.flatMap(([name, value]) => (value === '' ? [] : [`  ${name}: ${value}`])),
    ...acceptance.map((text, at) => `  - [${ticked.includes(at) ? 'x' : ' '}] ${onOneLine(text)}`),
  ];
}

/** On one line where a line of it would be a criterion, an attribute or the beginning of something else. */
function descriptionLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isPlain = lines.every((line) => !/^\s*(?:[-*+#>|[`~]|\d+[.)]|[A-Za-z ]{2,25}:)/.test(line));
  return isPlain ? lines.map((line) => `  ${line}`) : [`  Description: ${onOneLine(text)}`];
}

const onOneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');
