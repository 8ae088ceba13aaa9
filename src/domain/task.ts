import * as z from 'zod/mini';
import { Grade } from './proof.ts';

/**
 * `unverified`: the tracker calls it done, and nothing that ralph believes says so. It waits for you, and is never
 * written into a tracker.
 */
export const TASK_STATUSES = ['open', 'in_progress', 'done', 'unverified', 'blocked', 'parked'] as const;
export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;
/** What each status is called on screen. */
export const STATUS_WORD: Readonly<Record<TaskStatus, string>> = {
  open: 'open',
  in_progress: 'in progress',
  done: 'done',
  unverified: 'ticked, not verified',
  blocked: 'blocked',
  parked: 'waiting for you',
};
/** What can be written into a tracker. */
export type TrackedStatus = Exclude<TaskStatus, 'unverified'>;

/** Only a `build` task must change files (spec 1-loop, Tasks). */
export const TaskKind = z.enum(['build', 'verify', 'research']);
export type TaskKind = z.infer<typeof TaskKind>;

/** An item of work in the tracker. Absent values are `null` or empty, never missing. */
export const Task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  acceptance: z.array(z.string()),
  /** 0-based numbers of the criteria that you ticked. */
  ticked: z.array(z.number()),
  /** 1 is the most urgent; `null` (none given) comes after every given one. Ties go by file order. */
  priority: z.nullable(z.number()),
  dependsOn: z.array(z.string()),
  /** As the tracker says it, until `overlayStatus` has laid over it what ralph knows. */
  status: TaskStatus,
  kind: TaskKind,
  /** Globs or paths the work is expected to stay within; `null` when nothing is said. */
  expectedPaths: z.nullable(z.array(z.string())),
  complexity: z.nullable(z.string()),
  /** A timeout written for this task, in seconds. */
  timeoutSeconds: z.nullable(z.number()),
  constraints: z.array(z.string()),
  boundaries: z.array(z.string()),
  goals: z.array(z.string()),
  /** Names of gates that must pass for this task although they failed before. */
  gates: z.array(z.string()),
  /** Shell commands that fail without the work and pass with it. */
  checks: z.array(z.string()),
  /** How well it must be shown that it is done, where that is more than the run asks for; `null`: no more. */
  proof: z.nullable(Grade),
  owner: z.nullable(z.string()),
  removalApprovedBy: z.nullable(z.string()),
  /** What it changes in the review of actions (`parseTaskReview`), as written. */
  review: z.nullable(z.string()),
  group: z.nullable(z.string()),
  notes: z.string(),
  /** What is wrong with it in the task list: it isn't worked on until that is fixed. */
  problem: z.nullable(z.string()),
});
export type Task = z.infer<typeof Task>;

/** What a task asks for. */
export function goalText({ title, description, acceptance }: Task): string {
  return [title, description, ...acceptance].join('\n');
}

/** A task with everything at its default, for parsers and tests to spread over. */
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
  problem: null,
};

/**
 * What is remembered of a task that has no id of its own in the tracker, so that its id survives edits and moves
 * (decisions.md, Ids). `index` is its position among the id-less tasks when last seen.
 */
export const RememberedId = z.object({ id: z.string(), title: z.string(), index: z.number() });
export type RememberedId = z.infer<typeof RememberedId>;

/** How many tasks a list has, and how many of these are in which status. */
export const TaskCounts = z.object({
  total: z.number(),
  done: z.number(),
  unverified: z.number(),
  blocked: z.number(),
  open: z.number(),
});

/** Those that are no files. */
const SERVICES = ['github', 'jira', 'linear'] as const;
/** A service that keeps tasks as its issues. */
export type Service = (typeof SERVICES)[number];

/** What `[tracker] kind` can name besides "auto"; `tasks/formats.ts` has an entry for each. */
export const TRACKER_KINDS = ['markdown', 'json', 'yaml', 'jsonl', 'backlog', ...SERVICES] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** Whether the list is kept by a service, and no file. */
export function isService(kind: string): kind is Service {
  return SERVICES.some((one) => one === kind);
}

/** What a new task may say of itself beside its criteria; each as in `Task`. */
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

/** A task that you add. */
export type NewTask = Pick<Task, 'title' | 'priority' | 'dependsOn' | 'acceptance'> &
  Partial<Pick<Task, (typeof NEW_TASK_FIELDS)[number]>>;

/** Tasks that are added together, all or none. */
export type ListPlan = {
  readonly tasks: readonly (NewTask & {
    /** Places in the plan, from 0, of tasks before it that it waits for. */
    readonly after: readonly number[];
  })[];
  /** The task that they stand in for: it goes, and what waited for it waits for the last of them; `null`: none. */
  readonly replaces: string | null;
};

/** A change of the task list, as you ask for it. */
export type TrackerEdit =
  | { readonly kind: 'add'; readonly task: NewTask }
  | { readonly kind: 'retitle'; readonly taskId: string; readonly title: string }
  | { readonly kind: 'remove'; readonly taskId: string };

/** Something to fix in the tracker; `line` is 1-based, `null` where it has none. */
export type TrackerProblem = {
  readonly line: number | null;
  readonly message: string;
  /** The tasks that aren't worked on until it is fixed; `all` where it may hide others. */
  readonly tasks: 'all' | readonly string[];
};

/** The line of a task in the tracker's file, or of one of its fields; 1-based, `null` where it has none. */
export type TaskLine = (taskId: string, field: keyof Task | null) => number | null;
