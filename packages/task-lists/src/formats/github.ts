import * as z from 'zod/mini';
import { resolveDependencies } from '../dependencies.ts';
import { addLine, finishBody, newBody } from '../markdown/body.ts';
import { readLines } from '../markdown/lines.ts';
import type { Task, TrackerProblem, Unread } from '../task.ts';
import { readKind, readPriority } from '../task-fields.ts';

/** Fields to request from `gh issue list --json`. */
export const GITHUB_FIELDS = ['number', 'title', 'body', 'labels', 'state', 'assignees'] as const;

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.nullish(z.string()),
  labels: z._default(z.array(z.object({ name: z.string() })), []),
  state: z._default(z.string(), 'OPEN'),
  assignees: z._default(z.array(z.object({ login: z.string() })), []),
});

/** Observations while issues are read. */
export type Noticed = {
  readonly problems: TrackerProblem[];
  /** Content of issues that no field of a task holds. */
  readonly unread: Unread[];
};

/** What is known beside the issues. */
export type ServiceInput = {
  /** The service's id of the account in use; `null`: unknown. */
  readonly me: string | null;
  /** Names of programs that begin a command (`ReaderInput`). */
  readonly programs: readonly string[];
};

export type ServiceTasks =
  | ({ readonly ok: true; readonly tasks: Task[] } & Noticed)
  | { readonly ok: false; readonly message: string };

/**
 * Returns tasks from the issues of `gh issue list --json`, oldest first. The id is `#12`. Check boxes in the body are
 * acceptance criteria; attribute lines (`Depends on #3`, `Timeout: 30m`) are read as in Markdown, except for two that
 * only the repository's developers may set. Labels give priority (`P1`, `priority: high`), kind (`kind: research`),
 * complexity (`complexity: ui_heavy`) and `blocked`. A closed issue is done. An open issue assigned to others is in
 * progress, because GitHub has no other status for that.
 */
export function tasksFromGithub(json: unknown, input: ServiceInput): ServiceTasks {
  const parsed = z.array(Issue).safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the answer';
    return {
      ok: false,
      message: `gh listed issues in a form that is not known: ${place}: ${issue?.message ?? ''}`,
    };
  }
  const issues = parsed.data.toSorted((a, b) => a.number - b.number);
  const noticed: Noticed = { problems: [], unread: [] };
  const tasks = issues.map((issue) => toTask(issue, input, noticed));
  return { ok: true, tasks: resolveDependencies(tasks), ...noticed };
}

/** Returns the issue's number in a task id such as `#12`; `null` for other ids. */
export function issueNumber(taskId: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(taskId)?.[1];
  return digits === undefined ? null : Number(digits);
}

function toTask(
  { number, title, body, labels, state, assignees }: z.infer<typeof Issue>,
  input: ServiceInput,
  noticed: Noticed,
): Task {
  const logins = assignees.map(({ login }) => login);
  const { me } = input;
  const isMine = me !== null && logins.some((login) => login.toLowerCase() === me.toLowerCase());
  return serviceTask(
    {
      id: `#${number}`,
      title: title.trim() === '' ? `Issue ${number}` : title,
      body: body ?? '',
      labels: labels.map((label) => label.name),
      isDone: state.toUpperCase() === 'CLOSED',
      assignee: isMine || logins.length === 0 ? null : logins.join(', '),
      isStarted: true,
    },
    input,
    noticed,
  );
}

/** Returns a task from data that all services have: the issue's text with boxes and attribute lines, and its labels. */
export function serviceTask(
  issue: {
    readonly id: string;
    readonly title: string;
    readonly body: string;
    readonly labels: readonly string[];
    readonly isDone: boolean;
    /**
     * Assignee; `null`: none, or the account in use, because issues that you assign to yourself are for your runs.
     */
    readonly assignee: string | null;
    /** Whether someone works on the issue by its state. ralph never writes such a state. */
    readonly isStarted: boolean;
  },
  { programs }: ServiceInput,
  { problems, unread }: Noticed,
): Task {
  const { id, title, labels } = issue;
  const body = newBody(programs);
  for (const line of readLines(issue.body).lines) {
    if (line.kind === 'heading') addLine(body, { ...line, kind: 'text', text: line.text });
    else addLine(body, line);
  }
  for (const { line, message } of body.problems)
    problems.push({ line: null, message: `${id}, line ${line} of its text: ${message}`, tasks: [id] });
  const others = labels.filter((label) => !isRead(label));
  if (others.length > 0) unread.push({ what: `labels ${others.join(', ')}`, tasks: [id] });
  const task = finishBody(body, 'description', {
    id,
    title: title.trim() === '' ? id : title.trim(),
    status: issue.isDone
      ? 'done'
      : labels.some(saysBlocked)
        ? 'blocked'
        : issue.isStarted && issue.assignee !== null
          ? 'in_progress'
          : 'open',
    priority: first(labels, priorityOf),
    group: null,
  });
  return {
    ...task,
    kind: first(labels, (label) => readKind(labelled(label, 'kind'))) ?? task.kind,
    complexity: task.complexity ?? first(labels, (label) => labelled(label, 'complexity')),
    // Anyone who can open an issue writes its body, so these two fields aren't read from it.
    owner: null,
    removalApprovedBy: null,
    assignee: issue.assignee,
  };
}

const saysBlocked = (label: string) => /^(?:status[:/ ]\s*)?blocked$/i.test(label.trim());

/** Returns whether a label sets a field of a task. */
function isRead(label: string): boolean {
  return (
    saysBlocked(label) ||
    priorityOf(label) !== null ||
    readKind(labelled(label, 'kind')) !== null ||
    labelled(label, 'complexity') !== null
  );
}

/** Reads "P1", "priority: high", "priority/1" and "high priority". The word "high" alone doesn't name a priority. */
function priorityOf(label: string): number | null {
  const named = labelled(label, 'priority') ?? /^(.+?)[ -]priority$/i.exec(label.trim())?.[1];
  if (named) return readPriority(named);
  return /^(?:p\d|critical|urgent)$/i.test(label.trim()) ? readPriority(label) : null;
}

/** Returns for example "verify" for the label "kind: verify" and the name "kind"; `null` for other labels. */
function labelled(label: string, name: string): string | null {
  const match = /^([a-z]+)\s*[:/=]\s*(.+)$/i.exec(label.trim());
  return match?.[1]?.toLowerCase() === name ? (match[2]?.trim() ?? null) : null;
}

function first<T>(labels: readonly string[], read: (label: string) => T | null): T | null {
  for (const label of labels) {
    const value = read(label);
    if (value !== null) return value;
  }
  return null;
}
