import { shellQuote } from 'ralph-kit/shell-quote';
import { unreachable } from 'ralph-kit/unreachable';
import { assignIds, plainWords } from './assign-ids.ts';
import { partsWaitedFor, resolveDependencies } from './dependencies.ts';
import { type EditedList, type Meanings, meaningsIn, mentions, rewriteReferences } from './redirect.ts';
import {
  EMPTY_TASK,
  type Extras,
  type GivenUp,
  NEW_TASK_FIELDS,
  type RememberedId,
  type Task,
  type TaskIdentity,
  type TaskLine,
  type TrackedStatus,
  type TrackerEdit,
  type TrackerProblem,
} from './task.ts';
import { applySplices, type Draft, type Reading, type TrackerReader, type Written } from './task-list.ts';

export type ParsedTracker =
  | {
      readonly ok: true;
      /** Name of the format on screen. */
      readonly format: string;
      readonly tasks: Task[];
      readonly problems: TrackerProblem[];
      /** File, title and creation date of each task, by id. */
      readonly identities: ReadonlyMap<string, TaskIdentity>;
      /** Tasks that are given up; tasks that still depend on one wait forever. */
      readonly givenUp: readonly GivenUp[];
      readonly lineOf: TaskLine;
      /** Whether the file can hold the status "blocked". */
      readonly holdsBlocked: boolean;
      readonly extras: () => Extras;
      /** Memory of ids to keep; deeply equal to the given one if nothing changed. */
      readonly remembered: RememberedId[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a task file. `path` is only for messages. Never throws: problems of a readable file are in `problems`, and an
 * unreadable file gives a message.
 */
export function parseTracker(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
): ParsedTracker {
  const read = reader(text, path);
  if (!read.ok) return read;
  const { format, drafts, problems, lineOf, holdsBlocked, extras } = read.reading;
  const { givenUp = [], givenUpFrees = false } = read.reading;
  const over = givenUp.map(({ id }) => id);
  const { ids, remembered: known } = assignIds(drafts, remembered);
  const tasks: Task[] = [];
  const found: TrackerProblem[] = problems.map(({ line, message, of }) => ({
    line,
    message,
    tasks: of === 'file' ? 'all' : of === null ? [] : [ids[of] ?? ''],
  }));
  drafts.forEach((draft, index) => {
    const id = ids[index] ?? '';
    // The reading may be used again, so its references stay as written.
    const { closes = [], parts = [] } = draft;
    const task = { ...draft.task, id };
    if (closes.length > 0) task.acceptance = [...task.acceptance, ...closes];
    if (parts.length > 0) task.dependsOn = [...new Set([...task.dependsOn, ...parts])];
    if (isExample(task)) {
      const message = PLACEHOLDER.test(task.title) ? placeholderText(task.title) : EXAMPLE_LEFT;
      found.push({ line: lineOf(index, null), message, tasks: [] });
      return;
    }
    tasks.push(task);
    if (draft.explicitId === null || draft.explicitId === id) return;
    const first = lineOf(ids.indexOf(draft.explicitId), null);
    const where = first === null ? '' : ` (line ${first})`;
    const message = `the id ${draft.explicitId} is used by an earlier task${where}, so this one is ${id}; give it another id`;
    found.push({ line: lineOf(index, null), message, tasks: [id] });
  });
  return {
    ok: true,
    format,
    tasks: resolveDependencies(tasks, givenUpFrees ? { freed: over } : { kept: over }),
    givenUp,
    identities: new Map(
      drafts.map(({ file = path, created = null, task: { title } }, index) => [
        ids[index] ?? '',
        { file, title, created },
      ]),
    ),
    problems: found.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    lineOf: (taskId, field) => {
      const index = ids.indexOf(taskId);
      return index === -1 ? null : lineOf(index, field);
    },
    holdsBlocked,
    extras: () => ({
      unread: [
        ...extras().unread.map(({ what, of }) => ({ what, tasks: of.map((index) => ids[index] ?? '') })),
        ...drafts.flatMap(({ task }, index) => {
          const what = partsWaitedFor(task.dependsOn, ids);
          return what.length === 0
            ? []
            : [{ what: `dependency ${what.join(', ')}`, tasks: [ids[index] ?? ''] }];
        }),
      ],
      words: new Map([...extras().words].map(([index, word]) => [ids[index] ?? '', word])),
    }),
    remembered: known,
  };
}

/**
 * Returns the text with one task's status changed, and all other characters unchanged. If the file can't hold the
 * status, the text is unchanged, but a done task is marked open. `message`: there is no such task, or the edit isn't
 * safe.
 *
 * @param isRenamed Whether a task with this title is another task than the wanted one.
 */
export function setTrackerStatus(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
  taskId: string,
  status: TrackedStatus,
  isRenamed: (title: string) => boolean = () => false,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string } {
  const read = reader(text, path);
  if (!read.ok) return read;
  const { drafts, show } = read.reading;
  const index = assignIds(drafts, remembered).ids.indexOf(taskId);
  const { status: current, title = '' } = drafts[index]?.task ?? {};
  if (current === undefined) {
    return {
      ok: false,
      message: `${path} has no task ${taskId}; \`ralph tasks\` lists those it has`,
    };
  }
  if (current === status) return { ok: true, text };
  if (isRenamed(title))
    return { ok: false, message: `it has another title by now ("${title}"), under which it is open` };
  let target = status;
  let written = show(index, target);
  if (written.kind === 'not_held' && current === 'done') {
    target = 'open';
    written = show(index, target);
  }
  switch (written.kind) {
    case 'not_held':
      return { ok: true, text };
    case 'failed':
      return { ok: false, message: cannotWrite(path, taskId, written.message) };
    case 'splices': {
      const edited = applySplices(text, written.splices);
      const again = reader(edited, path);
      const proven =
        again.ok &&
        again.reading.drafts.length === drafts.length &&
        again.reading.drafts[index]?.task.status === target;
      if (!proven)
        return { ok: false, message: cannotWrite(path, taskId, "its entry has a form that can't be edited") };
      return { ok: true, text: edited };
    }
    default:
      return unreachable(written);
  }
}

/**
 * Returns the text with this status for the tasks that it has and that can be edited. Tasks that already have the
 * status need only one reading together.
 */
export function setTrackerStatuses(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
  taskIds: readonly string[],
  status: TrackedStatus,
): string {
  const read = reader(text, path);
  if (!read.ok) return text;
  const { drafts } = read.reading;
  const wanted = new Set(taskIds);
  const differing = assignIds(drafts, remembered).ids.filter(
    (id, index) => wanted.has(id) && drafts[index]?.task.status !== status,
  );
  return differing.reduce((now, id) => {
    const edited = setTrackerStatus(now, path, reader, remembered, id, status);
    return edited.ok ? edited.text : now;
  }, text);
}

export type EditedText =
  | {
      readonly ok: true;
      readonly text: string;
      /** What else the edit did to tasks, or left for you to do, as sentences. */
      readonly remarks: readonly { readonly taskId: string; readonly text: string }[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the text with an edited list, and all other tasks unchanged. A removed task takes the references to it along,
 * and numbers by which others are referred to follow them. `message`: the file can't be edited this way.
 */
export function editTrackerText(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
  edit: TrackerEdit,
): EditedText {
  const read = reader(text, path);
  if (!read.ok) return read;
  const { drafts } = read.reading;
  const example = edit.kind === 'add' ? drafts.findIndex(({ task }) => isExample(task)) : -1;
  if (example !== -1) {
    const taskId = assignIds(drafts, remembered).ids[example] ?? '';
    const without = editTrackerText(text, path, reader, remembered, { kind: 'remove', taskId });
    // Your first task replaces the example task.
    if (without.ok) return editTrackerText(without.text, path, reader, remembered, edit);
  }
  const byHand = (why: string) => cannotEdit(path, why);
  const index = edit.kind === 'add' ? -1 : assignIds(drafts, remembered).ids.indexOf(edit.taskId);
  if (edit.kind !== 'add' && index === -1) return byHand(`it has no task ${edit.taskId}`);
  if (edit.kind === 'remove') return removeTask(read.reading, index, { text, path, reader, remembered });
  const written = read.reading.edit(edit.kind === 'add' ? edit : { ...edit, index });
  if (written.kind !== 'splices') return notWritten(path, written);
  const edited = applySplices(text, written.splices);
  const again = reader(edited, path);
  const before = drafts.map(({ task }) => task);
  const now = again.ok ? again.reading.drafts.map(({ task }) => task) : [];
  const idOf = again.ok ? (again.reading.drafts.at(-1)?.explicitId ?? null) : null;
  return isAsMeant(before, now, edit, index, idOf)
    ? { ok: true, text: edited, remarks: [] }
    : byHand(READ_OTHERWISE);
}

const READ_OTHERWISE = 'what would be written would be read as something else';

function cannotEdit(path: string, why: string, command?: string): EditedText & { readonly ok: false } {
  const instead = command === undefined ? 'edit it by hand' : `to do it: ${command}`;
  return { ok: false, message: `${path} can't be edited (${why}); ${instead}` };
}

function notWritten(path: string, written: Exclude<Written, { readonly kind: 'splices' }>) {
  return written.kind === 'failed'
    ? cannotEdit(path, written.message, written.command)
    : cannotEdit(path, 'it has no place for it');
}

/**
 * Returns the list without the task at position `removed` and without references to it. Every other reference means the
 * same task as before. A reference that can't be taken out stays: what reads the list reports it with its line.
 */
function removeTask(before: Reading, removed: number, list: EditedList): EditedText {
  const { path, reader, remembered } = list;
  const old = meanings(before, remembered);
  const from = old.ids[removed] ?? '';
  const others = old.ids.toSpliced(removed, 1);
  const at = (index: number) => (index < removed ? index : index + 1);
  const free = rewriteReferences(list, (index, reference) => {
    const meant = old.of(index, reference);
    return index !== removed && meant.includes(from) && meant.every((id) => id === from) ? [] : null;
  });
  const read = reader(free.text, path);
  const written = read.ok ? read.reading.edit({ kind: 'remove', index: removed }) : read;
  if (!('kind' in written)) return cannotEdit(path, written.message);
  if (written.kind !== 'splices') return notWritten(path, written);
  /** Returns what a reference meant, without the removed task. */
  const wanted = (index: number, reference: string) =>
    old.of(at(index), reference).filter((id) => id !== from);
  const readNow = (text: string) => {
    const found = reader(text, path);
    if (!found.ok) return null;
    const { drafts, lineOf } = found.reading;
    const { ids, of } = meanings(found.reading, remembered);
    // A task without an id of its own may get another one now, so tasks are compared by those that they had.
    const idThen = new Map(ids.map((id, index) => [id, others[index] ?? null]));
    const then = (id: string | null) => (id === null ? null : (idThen.get(id) ?? null));
    return { drafts, lineOf, ids, of: (index: number, one: string) => of(index, one).map(then) };
  };
  const without = applySplices(free.text, written.splices);
  const start = readNow(without);
  // What the others depend on is compared by what it means, below.
  const bare = (drafts: readonly Draft[]) =>
    JSON.stringify(drafts.map(({ task }) => ({ ...task, dependsOn: [] })));
  if (start === null || bare(start.drafts) !== bare(before.drafts.toSpliced(removed, 1)))
    return cannotEdit(path, READ_OTHERWISE);
  const numbered = others.filter((_, index) => !isExample(start.drafts[index]?.task ?? EMPTY_TASK));
  const { text, gone } = rewriteReferences({ ...list, text: without }, (index, reference) => {
    const want = wanted(index, reference);
    const isMeant = JSON.stringify(start.of(index, reference)) === JSON.stringify(want);
    if (isMeant || want.length === 0 || want.includes(null)) return null;
    // A number stays a number: that of the same task now.
    if (want.length === 1 && /^#?\d+$/.test(reference))
      return [reference.replace(/\d+/, String(numbered.indexOf(want[0] ?? '') + 1))];
    return want.map((id) => start.ids[others.indexOf(id ?? '')] ?? '');
  });
  const end = readNow(text);
  if (end === null) return cannotEdit(path, READ_OTHERWISE);
  const remarks = [
    ...free.gone.map(({ index, words }) => ({ taskId: old.ids[index] ?? '', words })),
    ...gone.map(({ index, words }) => ({ taskId: others[index] ?? '', words })),
  ].map(({ taskId, words }) => {
    const remark = `${JSON.stringify(words)} stood beside the dependency on ${from}, and is gone with it`;
    return { taskId, text: `${taskId}: ${remark}` };
  });
  for (const [index, { task }] of end.drafts.entries()) {
    const references = before.drafts[at(index)]?.task.dependsOn ?? [];
    const want = new Set(references.flatMap((one) => wanted(index, one)));
    const now = new Set(task.dependsOn.flatMap((one) => end.of(index, one)));
    // A reference to no task is reported with its line, by all that reads the list.
    want.delete(null);
    now.delete(null);
    if (want.size !== now.size || [...want].some((id) => !now.has(id))) {
      const place = `${path}, line ${before.lineOf(at(index), 'dependsOn') ?? '?'}`;
      const message = `${place}: what ${others[index]} depends on (${references.join(', ')}) would mean other tasks without ${from}, and can't be rewritten there; write ids in its place, then remove ${from}. Nothing was changed`;
      return { ok: false, message };
    }
    if (references.some((one) => old.of(at(index), one).includes(from) && mentions(task.title, one))) {
      const taskId = end.ids[index] ?? '';
      const text = `${path}: the title of ${taskId} still names ${from} (${JSON.stringify(task.title)}). To change it: ralph tasks edit ${shellQuote(taskId)} --title "…"`;
      remarks.push({ taskId, text });
    }
  }
  return { ok: true, text, remarks };
}

function meanings(reading: Reading, remembered: readonly RememberedId[]): Meanings {
  const { drafts } = reading;
  return meaningsIn(reading, remembered, (index) => {
    const task = drafts[index]?.task;
    return task !== undefined && !isExample(task);
  });
}

/**
 * Returns whether every task except the edited one reads as before.
 *
 * @param idOf Explicit id of the last task.
 */
function isAsMeant(
  before: readonly Task[],
  now: readonly Task[],
  edit: Exclude<TrackerEdit, { kind: 'remove' }>,
  index: number,
  idOf: string | null,
): boolean {
  const same = (one: readonly Task[], other: readonly Task[]) =>
    JSON.stringify(one) === JSON.stringify(other);
  if (edit.kind === 'retitle') {
    // A title may say what its task depends on.
    const { dependsOn: needs = [] } = now[index] ?? {};
    const mayDiffer = (title: string, other: readonly string[]) => other.every((one) => mentions(title, one));
    const { title: was = '', dependsOn: needed = [] } = before[index] ?? {};
    const free = mayDiffer(was, needed) && mayDiffer(edit.title, needs);
    return same(
      before.map((task, at) =>
        at === index ? { ...task, title: edit.title, dependsOn: free ? [...needs] : needed } : task,
      ),
      now,
    );
  }
  const added = now.at(-1);
  const { title, priority, dependsOn, acceptance } = edit.task;
  return (
    same(before, now.slice(0, -1)) &&
    added?.status === 'open' &&
    // A title may begin with an id of its own.
    (added.title === title || (idOf !== null && title.endsWith(added.title) && title.includes(idOf))) &&
    (priority === null || added.priority === priority) &&
    JSON.stringify([added.dependsOn, added.acceptance]) === JSON.stringify([dependsOn, acceptance]) &&
    NEW_TASK_FIELDS.every(
      (field) =>
        edit.task[field] === undefined || JSON.stringify(edit.task[field]) === JSON.stringify(added[field]),
    )
  );
}

function cannotWrite(path: string, taskId: string, why: string): string {
  return `${path}: the status of ${taskId} can't be written (${why}); write it by hand, or simplify that entry`;
}

const TITLE = 'Replace this line with your first task';

/** The task list that `ralph init` writes if you name no tasks. */
export const EXAMPLE_LIST = `# What to build

Say here in a few sentences what this is about. Each box below is a task; bullets under it say when it is done.

## Tasks

- [ ] **T-1** ${TITLE}
  - and this one with how you will know that it is done
`;

export const EXAMPLE_LEFT = `"${TITLE}" is the example of ralph init and no task; write your own in its place`;

/** A title that a tool writes as a placeholder, such as ralph-starter's `Task 1: (describe first task)`. */
const PLACEHOLDER = /^(?:task \d+\s*[:.]\s*)?\(describe [\w\s-]+\)$/i;

function placeholderText(title: string): string {
  return `${JSON.stringify(title)} is a placeholder and no task; write your own in its place`;
}

/** Returns whether a task is the example task of ralph or of another tool. No agent works on it. */
export function isExample({ title }: Pick<Task, 'title'>): boolean {
  if (PLACEHOLDER.test(title)) return true;
  return /^\W*replace\b/i.test(title) && plainWords(title) === plainWords(TITLE);
}
