import { unreachable } from 'ralph-kit/unreachable';
import { assignIds, plainWords } from './assign-ids.ts';
import { partsWaitedFor, resolveDependencies } from './dependencies.ts';
import { redirect } from './redirect.ts';
import {
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
import { applySplices, type TrackerReader } from './task-list.ts';

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

/**
 * Returns the text with an edited list, and all other tasks unchanged. `message`: the file can't be edited this way.
 */
export function editTrackerText(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
  edit: TrackerEdit,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string } {
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
  if (edit.kind === 'remove') {
    // A task that depends on the removed one would wait for ever. What can't be changed is reported as a problem.
    const freed = redirect(text, path, reader, remembered, { from: edit.taskId, to: [] });
    if (freed.ok && freed.text !== text) return editTrackerText(freed.text, path, reader, remembered, edit);
  }
  const byHand = (why: string) => ({
    ok: false as const,
    message: `${path} can't be edited (${why}); edit it by hand`,
  });
  const index = edit.kind === 'add' ? -1 : assignIds(drafts, remembered).ids.indexOf(edit.taskId);
  if (edit.kind !== 'add' && index === -1) return byHand(`it has no task ${edit.taskId}`);
  const written = read.reading.edit(edit.kind === 'add' ? edit : { ...edit, index });
  if (written.kind !== 'splices')
    return byHand(written.kind === 'failed' ? written.message : 'it has no place for it');
  const edited = applySplices(text, written.splices);
  const again = reader(edited, path);
  const before = drafts.map(({ task }) => task);
  const now = again.ok ? again.reading.drafts.map(({ task }) => task) : [];
  const idOf = again.ok ? (again.reading.drafts.at(-1)?.explicitId ?? null) : null;
  return isAsMeant(before, now, edit, index, idOf)
    ? { ok: true, text: edited }
    : byHand('what would be written would be read as something else');
}

/**
 * Returns whether every task except the edited one reads as before.
 *
 * @param idOf Explicit id of the last task.
 */
function isAsMeant(
  before: readonly Task[],
  now: readonly Task[],
  edit: TrackerEdit,
  index: number,
  idOf: string | null,
): boolean {
  const same = (one: readonly Task[], other: readonly Task[]) =>
    JSON.stringify(one) === JSON.stringify(other);
  if (edit.kind === 'remove') return same(before.toSpliced(index, 1), now);
  if (edit.kind === 'retitle') {
    return same(
      before.map((task, at) => (at === index ? { ...task, title: edit.title } : task)),
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
