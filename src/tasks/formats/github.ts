import * as z from 'zod/mini';
import type { Task, TrackerProblem } from '../../domain/task.ts';
import { resolveDependencies } from '../choice/dependencies.ts';
import { addLine, finishBody, newBody } from '../markdown/body.ts';
import { readLines } from '../markdown/lines.ts';
import { readKind, readPriority } from '../task-fields.ts';

/** What `gh issue list --json` must be asked for. */
export const GITHUB_FIELDS = ['number', 'title', 'body', 'labels', 'state'] as const;

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.nullish(z.string()),
  labels: z._default(z.array(z.object({ name: z.string() })), []),
  state: z._default(z.string(), 'OPEN'),
});

export type ServiceTasks =
  | { readonly ok: true; readonly tasks: Task[]; readonly problems: TrackerProblem[] }
  | { readonly ok: false; readonly message: string };

/**
 * Tasks from the issues that `gh issue list --json` prints, oldest first: `#12` is the id; the body's check boxes are
 * the acceptance, its attribute lines (`Depends on #3`, `Timeout: 30m`) are read as in Markdown, except for the two
 * that only the repository's own developers may set. Labels give priority (`P1`, `priority: high`), kind
 * (`kind: research`), complexity (`complexity: ui_heavy`) and `blocked`. A closed issue is done.
 */
export function tasksFromGithub(json: unknown): ServiceTasks {
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
  const problems: TrackerProblem[] = [];
  const tasks = issues.map((issue) => toTask(issue, problems));
  return { ok: true, tasks: resolveDependencies(tasks), problems };
}

/** The number of the issue behind a task id such as `#12`; `null` for any other id. */
export function issueNumber(taskId: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(taskId)?.[1];
  return digits === undefined ? null : Number(digits);
}

function toTask(
  { number, title, body, labels, state }: z.infer<typeof Issue>,
  problems: TrackerProblem[],
): Task {
  return serviceTask(
    {
      ...{ id: `#${number}`, title: title.trim() === '' ? `Issue ${number}` : title, body: body ?? '' },
      ...{ labels: labels.map((label) => label.name), isDone: state.toUpperCase() === 'CLOSED' },
    },
    problems,
  );
}

/** A task from what every service has of an issue: boxes and attribute lines of its text, and its labels. */
export function serviceTask(
  issue: {
    readonly id: string;
    readonly title: string;
    readonly body: string;
    readonly labels: readonly string[];
    readonly isDone: boolean;
  },
  problems: TrackerProblem[],
): Task {
  const { id, title, labels } = issue;
  const body = newBody();
  for (const line of readLines(issue.body).lines) {
    if (line.kind === 'heading') addLine(body, { ...line, kind: 'text', text: line.text });
    else addLine(body, line);
  }
  for (const { line, message } of body.problems)
    problems.push({ line: null, message: `${id}, line ${line} of its text: ${message}`, tasks: [id] });
  const isBlocked = labels.some((label) => /^(?:status[:/ ]\s*)?blocked$/i.test(label.trim()));
  const task = finishBody(body, 'description', {
    id,
    title: title.trim() === '' ? id : title.trim(),
    status: issue.isDone ? 'done' : isBlocked ? 'blocked' : 'open',
    priority: first(labels, priorityOf),
    group: null,
  });
  return {
    ...task,
    kind: first(labels, (label) => readKind(labelled(label, 'kind'))) ?? task.kind,
    complexity: task.complexity ?? first(labels, (label) => labelled(label, 'complexity')),
    // Whoever can open an issue writes its body: these two are not read from it.
    owner: null,
    removalApprovedBy: null,
  };
}

/** "P1", "priority: high", "priority/1", "high priority"; a bare "high" says too little. */
function priorityOf(label: string): number | null {
  const named = labelled(label, 'priority') ?? /^(.+?)[ -]priority$/i.exec(label.trim())?.[1];
  if (named) return readPriority(named);
  return /^(?:p\d|critical|urgent)$/i.test(label.trim()) ? readPriority(label) : null;
}

/** "kind: verify" → "verify" for the name "kind". */
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
