import * as z from 'zod/mini';
import type { TrackerProblem } from '../../domain/task.ts';
import { resolveDependencies } from '../choice/dependencies.ts';
import { readPriority } from '../task-fields.ts';
import { type ServiceTasks, serviceTask } from './github.ts';

/** A ticket that isn't in the list holds a task back as long as it is open. */
type Blocker = { readonly id: string; readonly isDone: boolean };

type Ticket = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly isDone: boolean;
  readonly priority: number | null;
  readonly blockers: readonly Blocker[];
};

/** Fields that a search in Jira is asked for. */
export const JIRA_FIELDS = ['summary', 'description', 'labels', 'status', 'priority', 'issuelinks'];

const JiraStatus = z.object({ statusCategory: z.object({ key: z.string() }) });

const JiraIssue = z.object({
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    description: z.optional(z.unknown()),
    labels: z._default(z.array(z.string()), []),
    status: JiraStatus,
    priority: z.nullish(z.object({ name: z.string() })),
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

/** Jira's names that the words for priorities don't have. */
const JIRA_PRIORITIES: Readonly<Record<string, string>> = { highest: 'critical', lowest: 'low' };

/** Tasks from the issues of a search in Jira (`/rest/api/3/search/jql`), in its order: the key is the id. */
export function tasksFromJira(issues: readonly unknown[]): ServiceTasks {
  return tasksOf('Jira', z.array(JiraIssue), issues, ({ key, fields }) => {
    const { summary, description, labels, status, priority, issuelinks } = fields;
    const name = priority?.name.toLowerCase() ?? '';
    return {
      ...{ id: key, title: summary, labels, body: documentText(description) },
      isDone: isDone(status),
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
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  inverseRelations: z.object({
    nodes: z.array(
      z.object({ type: z.string(), issue: z.object({ identifier: z.string(), state: LinearState }) }),
    ),
  }),
});

/** States of Linear in which nothing is left to do. */
const OVER: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

/** Tasks from the issues of Linear's GraphQL, in their order: the identifier is the id. */
export function tasksFromLinear(issues: readonly unknown[]): ServiceTasks {
  return tasksOf('Linear', z.array(LinearIssue), issues, (issue) => ({
    ...{ id: issue.identifier, title: issue.title, body: issue.description ?? '' },
    labels: issue.labels.nodes.map(({ name }) => name),
    isDone: OVER.has(issue.state.type),
    // 0: none; 1 to 4: from urgent to low.
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
  const problems: TrackerProblem[] = [];
  const tickets = parsed.data.map(ticketOf);
  const ids = new Set(tickets.map(({ id }) => id));
  const tasks = tickets.map(({ priority, blockers, ...ticket }) => {
    const task = serviceTask(ticket, problems);
    const waits = blockers.filter((one) => ids.has(one.id) || !one.isDone).map(({ id }) => id);
    return {
      ...task,
      priority: task.priority ?? priority,
      dependsOn: [...new Set([...task.dependsOn, ...waits])],
    };
  });
  return { ok: true, tasks: resolveDependencies(tasks), problems };
}

type Node = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly attrs?: { readonly state?: unknown; readonly level?: unknown };
  readonly content?: unknown;
};

/** Nodes of a document that are a line each. */
const LINES: ReadonlySet<unknown> = new Set(['paragraph', 'heading', 'codeBlock', 'taskItem', 'tableRow']);
/** Deeper documents are cut: no one writes them by hand. */
const DEEPEST = 20;

/** The text of a document of Atlassian, as far as Markdown has it: lines, lists, boxes. Any other value gives no text. */
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
