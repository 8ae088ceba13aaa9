import * as z from 'zod/mini';

/** The statuses that a list gives a task. `parked`: the list itself leaves the task alone. */
const Status = z.enum(['open', 'in_progress', 'done', 'blocked', 'parked']);
export type TrackedStatus = z.infer<typeof Status>;

/** Only tasks of kind `build` must change files. */
export const TaskKind = z.enum(['build', 'verify', 'research']);
export type TaskKind = z.infer<typeof TaskKind>;

/** Evidence that a task may ask for, weakest first. */
export const Grade = z.enum(['none', 'gates', 'tests', 'held-out']);
export type Grade = z.infer<typeof Grade>;

/**
 * Why a list leaves a task alone. `word`: by a status word; `unknown_word`: by a word without a known meaning; `held`:
 * it waits for entries that aren't work. `of`: the word as written, or the ids of the entries.
 */
const LeftAlone = z.object({ kind: z.enum(['word', 'unknown_word', 'held']), of: z.string() });

/** An item of work in a list. Missing values are `null` or empty. */
export const Task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  acceptance: z.array(z.string()),
  /** Numbers of the ticked acceptance criteria, from 0. */
  ticked: z.array(z.number()),
  /**
   * Priority: 1 is the most urgent; `null`: none is given, so the task comes after all with a priority. Equal
   * priorities keep the order of the file.
   */
  priority: z.nullable(z.number()),
  dependsOn: z.array(z.string()),
  status: Status,
  kind: TaskKind,
  /** Globs or paths that the work should stay within; `null`: the task names none. */
  expectedPaths: z.nullable(z.array(z.string())),
  complexity: z.nullable(z.string()),
  /** Time limit in seconds that the task itself names; `null`: none. */
  timeoutSeconds: z.nullable(z.number()),
  constraints: z.array(z.string()),
  boundaries: z.array(z.string()),
  goals: z.array(z.string()),
  /** Names of gates that must pass for this task even if they failed before. */
  gates: z.array(z.string()),
  /** Shell commands that fail without the work and pass with it. */
  checks: z.array(z.string()),
  /** Grade of proof that the task asks for, if it is more than the run's; `null`: no more than that. */
  proof: z.nullable(Grade),
  owner: z.nullable(z.string()),
  removalApprovedBy: z.nullable(z.string()),
  /** The task's changes to the review of actions, as written (`parseTaskReview`); `null`: none. */
  review: z.nullable(z.string()),
  group: z.nullable(z.string()),
  notes: z.string(),
  /** Assignee by the list; `null`: there is none. */
  assignee: z.nullable(z.string()),
  /** Earliest start as in the list; `null`: at once. */
  notBefore: z.nullable(z.string()),
  /** Why the list leaves the task alone; `null`: it doesn't, or gives no reason. */
  left: z.nullable(LeftAlone),
  /** Subtasks that the list itself leaves out, each with its status word. The task is done without them. */
  without: z.array(z.string()),
  /** Problem with the task in the list: the task isn't started until you fix it. `null`: none. */
  problem: z.nullable(z.string()),
});
export type Task = z.infer<typeof Task>;

/** A task in which every field has its default value, to be spread into new tasks. */
export const EMPTY_TASK: Task = {
  id: '',
  title: '',
  description: '',
  acceptance: [],
  ticked: [],
  priority: null,
  dependsOn: [],
  status: 'open',
  kind: 'build',
  expectedPaths: null,
  complexity: null,
  timeoutSeconds: null,
  constraints: [],
  boundaries: [],
  goals: [],
  gates: [],
  checks: [],
  proof: null,
  owner: null,
  removalApprovedBy: null,
  review: null,
  group: null,
  notes: '',
  assignee: null,
  notBefore: null,
  left: null,
  without: [],
  problem: null,
};

/** A task of which its list says that nothing is to be done any more. */
export type GivenUp = {
  readonly id: string;
  /** Word of the list that gives the task up, such as `cancelled`. */
  readonly word: string;
};

/** Returns the setting by which a word of the list would mean done. */
export function wordSetting(word: string): string {
  return `[tracker.states] done = [${JSON.stringify(word)}]`;
}

/**
 * Memory of a task without an id in the tracker, so that it keeps the id from ralph when it is edited or moved.
 * `index`: its position among such tasks when last read.
 */
export const RememberedId = z.object({ id: z.string(), title: z.string(), index: z.number() });
export type RememberedId = z.infer<typeof RememberedId>;

/** Facts that distinguish a task from a later one with the same id, because tools reuse ids. */
export const TaskIdentity = z.object({
  /** Path of the file with the task. */
  file: z.string(),
  title: z.string(),
  /** Creation time as in the list; `null`: the list has none. */
  created: z.nullable(z.string()),
});
export type TaskIdentity = z.infer<typeof TaskIdentity>;

/** Fields of `Task` that a new task may have besides title, priority, dependencies and criteria. */
export const NEW_TASK_FIELDS = [
  'complexity',
  'kind',
  'expectedPaths',
  'gates',
  'constraints',
  'boundaries',
  'goals',
  'proof',
  'checks',
] as const;

/** A task that you add to the list. */
export type NewTask = Pick<Task, 'title' | 'priority' | 'dependsOn' | 'acceptance'> &
  Partial<Pick<Task, (typeof NEW_TASK_FIELDS)[number]>>;

/** Tasks that are added together: all or none. */
export type ListPlan = {
  readonly tasks: readonly (NewTask & {
    /** Positions in the plan, from 0, of earlier tasks that this one depends on. */
    readonly after: readonly number[];
  })[];
  /**
   * Id of a task that the new ones replace; `null`: none. Tasks that depended on it then depend on the last new task.
   */
  readonly replaces: string | null;
};

/** An edit of the task list that you ask for. */
export type TrackerEdit =
  | { readonly kind: 'add'; readonly task: NewTask }
  | { readonly kind: 'retitle'; readonly taskId: string; readonly title: string }
  | { readonly kind: 'remove'; readonly taskId: string };

/** A problem in the tracker that you have to fix. `line`: from 1; `null`: no single line has it. */
export type TrackerProblem = {
  readonly line: number | null;
  readonly message: string;
  /** Ids of tasks that aren't started until the problem is fixed; `all`: the problem may hide tasks. */
  readonly tasks: 'all' | readonly string[];
};

/**
 * Content of a list that no field of a task holds. `tasks`: ids of the tasks that have it; empty: the whole list does.
 */
export type Unread = { readonly what: string; readonly tasks: readonly string[] };

/** Content of a list that the fields of `Task` don't hold. */
export type Extras = {
  readonly unread: readonly Unread[];
  /** Status word in the list, by task id, where it says more than ralph's status. */
  readonly words: ReadonlyMap<string, string>;
};

/** Returns the line of a task in the tracker's file, or of one of the task's fields: from 1; `null`: none. */
export type TaskLine = (taskId: string, field: keyof Task | null) => number | null;
