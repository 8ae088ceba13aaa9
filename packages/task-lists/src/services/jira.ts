import * as z from 'zod/mini';
import { readPriority } from '../task-fields.ts';
import { askService } from './ask-service.ts';
import { documentText } from './document-text.ts';
import { done, type IssueList, type OpenList, type ServiceInput, type ServiceTasks } from './protocol.ts';
import { listName, placeOf, TICKETS, tasksOf, withoutKey } from './ticket.ts';

/** More issues under one label aren't a task list. */
const MOST_PAGES = 20;
const PAGE = 100;

/** Opens Jira's REST API, version 3. The path is the project's address: `https://SITE.atlassian.net/browse/KEY`. */
export const openJira: OpenList = ({ path, label }, world) => {
  const place = placeOf(path, 'https://SITE.atlassian.net/browse/KEY');
  if (!place.ok) return place;
  const { JIRA_TOKEN: token = '', JIRA_EMAIL: email = '' } = world.env;
  if (token === '') return withoutKey('Jira', 'JIRA_TOKEN (and JIRA_EMAIL, for a site of Atlassian)');
  const { origin, key: project } = place.value;
  const pair = Buffer.from(`${email}:${token}`).toString('base64');
  const authorization = email === '' ? `Bearer ${token}` : `Basic ${pair}`;
  const service = { name: 'Jira', authorization, variables: 'JIRA_EMAIL and JIRA_TOKEN' };
  const ask = (to: string, body?: unknown) => askService(service, `${origin}/rest/api/3/${to}`, world, body);
  const issue = (key: string) => `issue/${encodeURIComponent(key)}`;
  const jql = [`project = ${quoted(project)}`, ...(label === '' ? [] : [`labels = ${quoted(label)}`])].join(
    ' AND ',
  );
  const value: IssueList = {
    ...TICKETS,
    name: listName('Jira', project, label),
    read: tasksFromJira,
    list: async () => {
      const found: unknown[] = [];
      let nextPageToken: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { jql: `${jql} ORDER BY created ASC`, fields: JIRA_FIELDS, maxResults: PAGE };
        const answer = await ask(
          'search/jql',
          nextPageToken === undefined ? query : { ...query, nextPageToken },
        );
        if (!answer.ok) return answer;
        const { issues, nextPageToken: next } = answer.value as { issues?: unknown; nextPageToken?: unknown };
        if (!Array.isArray(issues)) return { ok: false, message: 'Jira answered a search without issues' };
        found.push(...issues);
        if (typeof next !== 'string') break;
        nextPageToken = next;
      }
      return { ok: true, value: found };
    },
    account: async () => {
      const answer = await ask('myself');
      if (!answer.ok) return null;
      const { accountId } = answer.value as { accountId?: unknown };
      return typeof accountId === 'string' ? accountId : null;
    },
    comment: async (key, text) => {
      const content = [{ type: 'paragraph', content: [{ type: 'text', text }] }];
      return done(await ask(`${issue(key)}/comment`, { body: { type: 'doc', version: 1, content } }));
    },
    close: async (key) => {
      const answer = await ask(`${issue(key)}/transitions`);
      if (!answer.ok) return answer;
      const { transitions } = answer.value as { transitions?: readonly Transition[] };
      const into = (transitions ?? []).find(({ to }) => to?.statusCategory?.key === 'done');
      if (into?.id === undefined)
        return {
          ok: false,
          message: `Jira has no step from where ${key} is to a status that is done: move it by hand`,
        };
      return done(await ask(`${issue(key)}/transitions`, { transition: { id: into.id } }));
    },
  };
  return { ok: true, value };
};

type Transition = {
  readonly id?: string;
  readonly to?: { readonly statusCategory?: { readonly key?: string } };
};

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Fields to request in a search in Jira. */
const JIRA_FIELDS = ['summary', 'description', 'labels', 'status', 'priority', 'issuelinks', 'assignee'];

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
export function tasksFromJira(issues: unknown, input: ServiceInput): ServiceTasks {
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
