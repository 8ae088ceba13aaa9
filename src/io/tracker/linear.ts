import { type Answer, askService, type Service } from './ask-service.ts';
import type { TicketClient } from './ticket-client.ts';

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

/** Opens Linear's GraphQL API. @param team The team's key. */
export function linearClient(
  service: Service,
  address: string,
  { team, label }: { readonly team: string; readonly label: string },
): TicketClient {
  async function ask<T>(query: string, variables: object): Promise<Answer<T>> {
    const answer = await askService(service, address, { query, variables });
    if (!answer.ok) return answer;
    return { ok: true, value: ((answer.value as { data?: unknown } | undefined)?.data ?? {}) as T };
  }
  async function change(query: string, variables: object): Promise<Answer<null>> {
    const answer = await ask<Record<string, { readonly success?: boolean }>>(query, variables);
    if (!answer.ok) return answer;
    const isDone = Object.values(answer.value).every(({ success }) => success === true);
    return isDone ? { ok: true, value: null } : { ok: false, message: 'Linear did not make the change' };
  }
  return {
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
}
