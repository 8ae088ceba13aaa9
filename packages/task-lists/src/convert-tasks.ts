import type { ConvertFormat } from 'ralph-kit/convert-formats';
import { firstFew } from 'ralph-kit/text';
import { readStatus } from './entries/status-plan.ts';
import { trackerReader } from './formats.ts';
import { markOfStatus } from './markdown/lines.ts';
import { splitId } from './markdown/title.ts';
import { EMPTY_TASK, type Extras, type Task, type TrackedStatus } from './task.ts';
import { parseTracker } from './tracker-text.ts';

/** File name for each format that a list can be converted to. */
const FILE_NAMES: Readonly<Record<ConvertFormat, string>> = {
  markdown: 'PRD.md',
  json: 'prd.json',
  yaml: 'tasks.yaml',
  'task-master': 'tasks.json',
};

export type Converted = {
  readonly text: string;
  /** Content that the other format can't hold, so that the converted text reads differently. */
  readonly lost: readonly string[];
};

/**
 * Returns the tasks as a list in another format. Content outside of the tasks is lost, and `lost` names what reads
 * differently afterwards.
 */
export async function convertTasks(
  listed: readonly Task[],
  format: ConvertFormat,
  { unread, words }: Extras,
): Promise<Converted> {
  const tasks = format === 'task-master' ? withNumbers(listed) : listed;
  const text = await WRITERS[format](tasks.map((task, at) => [task, ownWord(listed[at] ?? task, words)]));
  const path = FILE_NAMES[format];
  const again = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
  const renamed = listed.flatMap(({ id }, at) => (tasks[at]?.id === id ? [] : [`${id} is ${tasks[at]?.id}`]));
  const lost = [
    ...(renamed.length === 0 ? [] : [`ids are numbers there: ${firstFew(renamed, 8)}`]),
    ...(again.ok ? differences(listed, tasks, again.tasks) : [again.message]),
    ...(again.ok ? statusesLost(listed, words, again.tasks, again.extras().words) : []),
    ...unread.map(({ what, tasks: ids }) => ofTasks(what, ids)),
  ];
  return { text, lost };
}

/** A task with its status word in the list; `null`: ralph's own word. */
type Worded = readonly [task: Task, word: string | null];

const WRITERS: Readonly<Record<ConvertFormat, (tasks: readonly Worded[]) => string | Promise<string>>> = {
  markdown: (tasks) => markdownOf(tasks.map(([task]) => task)),
  json: (tasks) => jsonText({ tasks: tasks.map(entryOf) }),
  yaml: async (tasks) => (await import('./entries/write-yaml.ts')).yamlText({ tasks: tasks.map(entryOf) }),
  'task-master': (tasks) => jsonText({ master: { tasks: tasks.map(masterEntryOf), metadata: {} } }),
};

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the list's own word for a task's status; `null`: there is none, or a run has changed the status since. */
function ownWord({ id, status }: Task, words: Extras['words']): string | null {
  const word = words.get(id);
  return word !== undefined && readStatus({ status: word }).status === status ? word : null;
}

const shown = (status: TrackedStatus) => (status === 'parked' ? 'waiting for you' : status.replace('_', ' '));

/** Names of fields on screen, where they differ from the names in the code. */
const FIELD_WORDS: Readonly<Partial<Record<keyof Task, string>>> = {
  ticked: 'ticks of criteria',
  dependsOn: 'dependencies',
  expectedPaths: 'files',
  timeoutSeconds: 'timeout',
  removalApprovedBy: 'approval of removals',
};

function ofTasks(what: string, ids: readonly string[]): string {
  return ids.length === 0 ? what : `${what} of ${firstFew(ids, 8)}`;
}

/** Fields that follow from other fields, or that messages name by their key in the list. */
const NAMED_OTHERWISE: ReadonlySet<keyof Task> = new Set([
  'problem',
  'status',
  'left',
  'notBefore',
  'without',
] as const);

/**
 * Returns whether criteria or their ticks read differently. A ticked criterion may be missing, because a done subtask
 * isn't a criterion.
 */
function criteriaDiffer(
  wanted: Task | undefined,
  now: Task | undefined,
  field: 'acceptance' | 'ticked',
): boolean {
  if (wanted === undefined || now === undefined) return true;
  const openIn = ({ acceptance, ticked }: Task) => acceptance.filter((_, at) => !ticked.includes(at));
  if (JSON.stringify(wanted.acceptance) === JSON.stringify(now.acceptance))
    return field === 'ticked' && JSON.stringify(wanted.ticked) !== JSON.stringify(now.ticked);
  return field === 'acceptance' && JSON.stringify(openIn(wanted)) !== JSON.stringify(openIn(now));
}

/**
 * Returns a line for each field that reads differently, with the ids of its tasks.
 *
 * @param wanted The same tasks with their ids in the other list.
 */
function differences(listed: readonly Task[], wanted: readonly Task[], now: readonly Task[]): string[] {
  if (listed.length !== now.length) return [`${listed.length} tasks read as ${now.length}`];
  return (Object.keys(EMPTY_TASK) as (keyof Task)[]).flatMap((field) => {
    if (NAMED_OTHERWISE.has(field)) return [];
    const ids = listed.flatMap((task, at) => {
      if (field === 'acceptance' || field === 'ticked')
        return criteriaDiffer(wanted[at], now[at], field) ? [task.id] : [];
      const isNamed = field !== 'dependsOn' || task.dependsOn.length === wanted[at]?.dependsOn.length;
      // The owner of a task is its assignee, too, so a lost assignee isn't named again beside the owner.
      if (field === 'assignee' && task.assignee === task.owner) return [];
      const isSame = JSON.stringify(wanted[at]?.[field]) === JSON.stringify(now[at]?.[field]);
      return isNamed && isSame ? [] : [task.id];
    });
    return ids.length === 0 ? [] : [ofTasks(FIELD_WORDS[field] ?? field, ids)];
  });
}

/** Returns a line for each status word that becomes another word, with the ids of its tasks. */
function statusesLost(
  listed: readonly Task[],
  words: Extras['words'],
  now: readonly Task[],
  wordsNow: Extras['words'],
): string[] {
  const found = new Map<string, string[]>();
  listed.forEach((task, at) => {
    const other = now[at];
    if (other === undefined || now.length !== listed.length) return;
    const word = ownWord(task, words) ?? shown(task.status);
    const wordNow = ownWord(other, wordsNow) ?? shown(other.status);
    if (word === wordNow) return;
    const key = JSON.stringify([word, wordNow]);
    found.set(key, [...(found.get(key) ?? []), task.id]);
  });
  return [...found].map(([key, ids]) => {
    const [word, wordNow] = JSON.parse(key) as [string, string];
    return `${ofTasks(`status "${word}"`, ids)}: "${wordNow}" there`;
  });
}

/** Returns only the fields that the task sets. */
function entryOf([task, word]: Worded): object {
  const {
    id,
    title,
    status,
    acceptance,
    ticked,
    timeoutSeconds,
    kind,
    notes,
    problem: _problem,
    left: _left,
    without: _without,
    notBefore: _notBefore,
    ...fields
  } = task;
  const criteria = acceptance.map((text, at) =>
    ticked.length === 0 ? text : { title: text, status: ticked.includes(at) ? 'done' : 'open' },
  );
  const fieldValues = {
    id,
    title,
    status: word ?? status,
    acceptance: criteria,
    ...fields,
    notes,
    timeout: timeoutSeconds,
    kind: kind === EMPTY_TASK.kind ? null : kind,
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
/** Status words that task-master accepts. */
const MASTER_WORDS = ['pending', 'in-progress', 'done', 'review', 'deferred', 'blocked'];
const MASTER_PRIORITY: Readonly<Record<number, string>> = { 1: 'high', 2: 'medium', 3: 'low' };

function masterEntryOf([task, own]: Worded): object {
  const { id, title, description, status, dependsOn, priority, notes, acceptance, ticked } = task;
  const level = priority === null ? undefined : MASTER_PRIORITY[priority];
  const word = MASTER_WORDS.find((one) => one === own) ?? MASTER_STATUS[status] ?? status;
  return {
    id: Number(id),
    title,
    description,
    details: '',
    testStrategy: notes,
    status: word,
    dependencies: dependsOn.map(Number),
    ...(level === undefined ? {} : { priority: level }),
    subtasks: acceptance.map((text, at) => ({
      id: at + 1,
      title: text,
      description: '',
      details: '',
      dependencies: [],
      status: ticked.includes(at) ? 'done' : 'pending',
    })),
  };
}

/** Returns the tasks with numbers as ids, because task-master requires numbers. */
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
    const isHead = tasks.some(({ id }) => id.startsWith(`${task.id}.`));
    return [...heading, ...markdownLines(task, isHead)];
  });
  return `## Tasks\n\n${lines.join('\n')}\n`;
}

function markdownLines(task: Task, isHead: boolean): string[] {
  const { id, title, status, acceptance, ticked, checks } = task;
  const named = `**${id}** ${title}`;
  // An id that is the beginning of other ids would make the task a group.
  const isOwn = splitId(named).id === id && !isHead;
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
    `- [${markOf(status)}] ${isOwn ? named : title}`,
    ...descriptionLines(task.description),
    ...attributes.flatMap(([name, value]) => (value === '' ? [] : [`  ${name}: ${value}`])),
    ...acceptance.map((text, at) => `  - [${ticked.includes(at) ? 'x' : ' '}] ${onOneLine(text)}`),
  ];
}

/**
 * A waiting task gets the mark of a blocked one, because check boxes have no mark for waiting, and neither is started.
 */
function markOf(status: TrackedStatus): string {
  return markOfStatus(status === 'parked' ? 'blocked' : status) ?? ' ';
}

/**
 * Returns the description in lines; in a single line if one of its lines would read as a criterion, an attribute or the
 * beginning of something else.
 */
function descriptionLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isPlain = lines.every((line) => !/^\s*(?:[-*+#>|[`~]|\d+[.)]|[A-Za-z ]{2,25}:)/.test(line));
  return isPlain ? lines.map((line) => `  ${line}`) : [`  Description: ${onOneLine(text)}`];
}

const onOneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');
