import { addLine, finishBody, newBody, taskTest } from '../markdown/body.ts';
import { readLines } from '../markdown/lines.ts';
import type { Task } from '../task.ts';
import { readKind, readPriority } from '../task-fields.ts';
import type { Noticed, ServiceInput } from './protocol.ts';

/** What all services say of an issue. */
export type Issue = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly isDone: boolean;
  /** Assignee; `null`: none, or the account in use, because issues that you assign to yourself are for your runs. */
  readonly assignee: string | null;
  /** Whether someone works on the issue by its state. ralph never writes such a state. */
  readonly isStarted: boolean;
};

/** Returns an issue as a task: its text with boxes and attribute lines, and its labels. */
export function serviceTask(issue: Issue, { programs }: ServiceInput, { problems, unread }: Noticed): Task {
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
  const task = finishBody(
    body,
    'description',
    {
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
    },
    taskTest([]),
  );
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
