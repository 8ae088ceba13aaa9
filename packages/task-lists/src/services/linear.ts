import * as z from 'zod/mini';
import { askService } from './ask-service.ts';
import type { Answer, IssueList, OpenList, ServiceInput, ServiceTasks } from './protocol.ts';
import { listName, placeOf, TICKETS, tasksOf, withoutKey } from './ticket.ts';

/** More issues under one label aren't a task list. */
const MOST_PAGES = 40;

const ISSUES = `query($filter: IssueFilter, $after: String) {
  issues(first: 50, after: $after, filter: $filter, orderBy: createdAt) {
    nodes {
      identifier title description priority createdAt
      state { type }
      assignee { name isMe }
      labels(first: 20) { nodes { name } }
      inverseRelations(first: 20) { nodes { type issue { identifier state { type } } } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;
const STATES = `query($filter: WorkflowStateFilter) {
  workflowStates(first: 50, filter: $filter) { nodes { id position } }
}`;
const CLOSE =
  'mutation($id: String!, $stateId: String!) { issueUpdate(id: $id, input: { stateId: $stateId }) { success } }';
const COMMENT =
  'mutation($id: String!, $body: String!) { commentCreate(input: { issueId: $id, body: $body }) { success } }';

type Page = {
  readonly issues?: {
    readonly nodes?: readonly { readonly createdAt?: string }[];
    readonly pageInfo?: { readonly hasNextPage?: boolean; readonly endCursor?: string };
  };
};

/** Opens Linear's GraphQL API. The path is the team's address: `https://linear.app/WORKSPACE/team/KEY`. */
export const openLinear: OpenList = ({ path, label }, world) => {
  const place = placeOf(path, 'https://linear.app/WORKSPACE/team/KEY');
  if (!place.ok) return place;
  const { LINEAR_API_KEY: authorization = '' } = world.env;
  if (authorization === '') return withoutKey('Linear', 'LINEAR_API_KEY');
  const { origin, key: team } = place.value;
  const address = `${origin === 'https://linear.app' ? 'https://api.linear.app' : origin}/graphql`;
  const service = { name: 'Linear', authorization, variables: 'LINEAR_API_KEY' };
  async function ask<T>(query: string, variables: object): Promise<Answer<T>> {
    const answer = await askService(service, address, world, { query, variables });
    if (!answer.ok) return answer;
    return { ok: true, value: ((answer.value as { data?: unknown } | undefined)?.data ?? {}) as T };
  }
  async function change(query: string, variables: object): Promise<Answer<null>> {
    const answer = await ask<Record<string, { readonly success?: boolean }>>(query, variables);
    if (!answer.ok) return answer;
    const isDone = Object.values(answer.value).every(({ success }) => success === true);
    return isDone ? { ok: true, value: null } : { ok: false, message: 'Linear did not make the change' };
  }
  const value: IssueList = {
    ...TICKETS,
    name: listName('Linear', team, label),
    read: tasksFromLinear,
    list: async () => {
      const filter = {
        team: { key: { eq: team } },
        ...(label === '' ? {} : { labels: { some: { name: { eq: label } } } }),
      };
      const found: { readonly createdAt?: string }[] = [];
      let after: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const answer = await ask<Page>(ISSUES, { filter, after });
        if (!answer.ok) return answer;
        const { nodes, pageInfo } = answer.value.issues ?? {};
        if (nodes === undefined) return { ok: false, message: 'Linear answered without issues' };
        found.push(...nodes);
        if (pageInfo?.hasNextPage !== true || pageInfo.endCursor === undefined) break;
        after = pageInfo.endCursor;
      }
      // Linear returns the newest first.
      return {
        ok: true,
        value: found.toSorted((a, b) => Date.parse(a.createdAt ?? '') - Date.parse(b.createdAt ?? '')),
      };
    },
    // Each of Linear's issues says whether it is yours.
    account: async () => null,
    comment: (id, body) => change(COMMENT, { id, body }),
    close: async (id) => {
      const filter = { team: { key: { eq: team } }, type: { eq: 'completed' } };
      type States = {
        readonly workflowStates?: {
          readonly nodes?: readonly { readonly id: string; readonly position: number }[];
        };
      };
      const answer = await ask<States>(STATES, { filter });
      if (!answer.ok) return answer;
      const [state] = (answer.value.workflowStates?.nodes ?? []).toSorted((a, b) => a.position - b.position);
      if (state === undefined) return { ok: false, message: `Linear has no completed state for ${team}` };
      return change(CLOSE, { id, stateId: state.id });
    },
  };
  return { ok: true, value };
};

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
export function tasksFromLinear(issues: unknown, input: ServiceInput): ServiceTasks {
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
