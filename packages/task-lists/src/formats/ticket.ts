import * as z from 'zod/mini';
import { resolveDependencies } from '../dependencies.ts';
import { readPriority } from '../task-fields.ts';
import { type Noticed, type ServiceInput, type ServiceTasks, serviceTask } from './github.ts';

/** A ticket outside of the list. A task that depends on it waits as long as it is open. */
type Blocker = { readonly id: string; readonly isDone: boolean };

type Ticket = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly isDone: boolean;
  readonly assignee: string | null;
  readonly isStarted: boolean;
  readonly priority: number | null;
  readonly blockers: readonly Blocker[];
};

/** Fields to request in a search in Jira. */
export const JIRA_FIELDS = [
  'summary',
  'description',
  'labels',
  'status',
  'priority',
  'issuelinks',
  'assignee',
];

const JiraStatus = z.object({ statusCategory: z.object({ key: z.string() }) });

const JiraIssue = z.object({
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    description: z.optional(z.unknown()),
    labels: z._default(z.array(z.string()), []),
    status: JiraStatus,
    priority: z.nullish(z.object({ name: z.string() })),
    assignee: z.nullish(z.object({ accountId: z.optional(z.string()), displayName: z.string() })),
    issuelinks: z._default(
      z.array(
        z.object({
          type: z.object({ name: z.string(), inward: z.string() }),
          inwardIssue: z.optional(z.object({ key: z.string(), fields: z.object({ status: JiraStatus }) })),
        }),
      ),
      [],
    ),
  }),
});

/** Jira's names of priorities that aren't among the usual words. */
const JIRA_PRIORITIES: Readonly<Record<string, string>> = { highest: 'critical', lowest: 'low' };

/**
 * Returns tasks from a search in Jira (`/rest/api/3/search/jql`), in its order. The issue's key is the id.
 */
export function tasksFromJira(issues: readonly unknown[], input: ServiceInput): ServiceTasks {
  return tasksOf('Jira', z.array(JiraIssue), issues, input, ({ key, fields }) => {
    const { summary, description, labels, status, priority, issuelinks, assignee = null } = fields;
    const name = priority?.name.toLowerCase() ?? '';
    return {
      id: key,
      title: summary,
      labels,
      body: documentText(description),
      isDone: isDone(status),
      assignee: assignee === null || assignee.accountId === input.me ? null : assignee.displayName,
      isStarted: status.statusCategory.key === 'indeterminate',
      priority: readPriority(JIRA_PRIORITIES[name] ?? name),
      blockers: issuelinks.flatMap(({ type, inwardIssue: other }) =>
        other === undefined || !(type.name === 'Blocks' || /blocked by|depends on/i.test(type.inward))
          ? []
          : [{ id: other.key, isDone: isDone(other.fields.status) }],
      ),
    };
  });
}

function isDone({ statusCategory }: z.infer<typeof JiraStatus>): boolean {
  return statusCategory.key === 'done';
}

const LinearState = z.object({ type: z.string() });

const LinearIssue = z.object({
  identifier: z.string(),
  title: z.string(),
  description: z.nullish(z.string()),
  priority: z.number(),
  state: LinearState,
  assignee: z.nullish(z.object({ name: z.string(), isMe: z.boolean() })),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  inverseRelations: z.object({
    nodes: z.array(
      z.object({ type: z.string(), issue: z.object({ identifier: z.string(), state: LinearState }) }),
    ),
  }),
});

/** Types of states in Linear in which nothing is left to do. */
const OVER: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

/** Returns tasks from issues of Linear's GraphQL API, in their order. The issue's identifier is the id. */
export function tasksFromLinear(issues: readonly unknown[], input: ServiceInput): ServiceTasks {
  return tasksOf('Linear', z.array(LinearIssue), issues, input, (issue) => ({
    id: issue.identifier,
    title: issue.title,
    body: issue.description ?? '',
    labels: issue.labels.nodes.map(({ name }) => name),
    isDone: OVER.has(issue.state.type),
    assignee: issue.assignee?.isMe === false ? issue.assignee.name : null,
    isStarted: issue.state.type === 'started',
    // In Linear, 0 means no priority, and 1 to 4 mean urgent to low.
    priority: issue.priority === 0 ? null : issue.priority,
    blockers: issue.inverseRelations.nodes
      .filter(({ type }) => type === 'blocks')
      .map(({ issue: other }) => ({ id: other.identifier, isDone: OVER.has(other.state.type) })),
  }));
}

function tasksOf<T>(
  service: string,
  schema: z.ZodMiniType<T[]>,
  issues: readonly unknown[],
  input: ServiceInput,
  ticketOf: (issue: T) => Ticket,
): ServiceTasks {
  const parsed = schema.safeParse(issues);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the answer';
    return {
      ok: false,
      message: `${service} answered in a form that is not known: ${place}: ${issue?.message ?? ''}`,
    };
  }
  const noticed: Noticed = { problems: [], unread: [] };
  const tickets = parsed.data.map(ticketOf);
  const ids = new Set(tickets.map(({ id }) => id));
  const tasks = tickets.map(({ priority, blockers, ...ticket }) => {
    const task = serviceTask(ticket, input, noticed);
    const waits = blockers.filter((one) => ids.has(one.id) || !one.isDone).map(({ id }) => id);
    return {
      ...task,
      priority: task.priority ?? priority,
      dependsOn: [...new Set([...task.dependsOn, ...waits])],
    };
  });
  return { ok: true, tasks: resolveDependencies(tasks), ...noticed };
}

type Node = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly attrs?: { readonly state?: unknown; readonly level?: unknown };
  readonly content?: unknown;
};

/** Types of nodes that become one line of text each. */
const LINES: ReadonlySet<unknown> = new Set(['paragraph', 'heading', 'codeBlock', 'taskItem', 'tableRow']);
/** Deepest level of a document that is read; deeper ones are not written by hand. */
const DEEPEST = 20;

/**
 * Returns a document of Atlassian as text, with the parts that Markdown has: lines, lists and boxes. Returns '' for
 * other values.
 */
export function documentText(document: unknown, depth = 0, mark = ''): string {
  if (typeof document === 'string') return document;
  if (typeof document !== 'object' || document === null || depth > DEEPEST) return '';
  const { type, text, attrs, content } = document as Node;
  if (typeof text === 'string') return text;
  if (type === 'hardBreak') return '\n';
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  if (type === 'taskItem') {
    const box = attrs?.state === 'DONE' ? '[x]' : '[ ]';
    return `- ${box} ${parts.map((part) => documentText(part, depth + 1)).join('')}\n`;
  }
  const bullet = type === 'bulletList' || type === 'orderedList' ? '- ' : '';
  const inside = parts.map((part) => documentText(part, depth + 1, bullet)).join('');
  if (type === 'listItem') return `${mark}${inside.trim()}\n`;
  return LINES.has(type) ? `${inside}\n` : inside;
}
