import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is asked is what the tests find out
  readonly body: any;
};
export type Given = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A service on the loopback interface, whose answers are made of what it is asked. */
export async function serve(answer: (asked: Asked, number: number) => Given) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const text = await textOf(request);
    const one = {
      method,
      path,
      authorization: headers.authorization ?? '',
      body: JSON.parse(text || 'null'),
    };
    asked.push(one);
    const { status = 200, headers: own = {}, body } = answer(one, asked.length);
    response.writeHead(status, { 'content-type': 'application/json', ...own });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const status = (key: 'new' | 'indeterminate' | 'done') => ({ name: key, statusCategory: { key } });
const doc = (...content: readonly object[]) => ({ type: 'doc', version: 1, content });
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const blockedBy = (key: string, by: ReturnType<typeof status>) => ({
  type: { name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
  inwardIssue: { key, fields: { status: by } },
});
const issue = (key: string, fields: object) => ({
  key,
  fields: { summary: key, labels: [], status: status('new'), priority: null, issuelinks: [], ...fields },
});

const JIRA = [
  issue('ABC-1', {
    summary: 'Show months',
    priority: { name: 'Highest' },
    description: doc(
      paragraph('In the list.'),
      {
        type: 'taskList',
        content: [
          {
            type: 'taskItem',
            attrs: { state: 'TODO' },
            content: [{ type: 'text', text: 'months are shown' }],
          },
        ],
      },
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('[ ] and days')] }] },
      paragraph('Files: src/month.js'),
    ),
  }),
  issue('ABC-2', {
    labels: ['kind: research'],
    issuelinks: [
      blockedBy('ABC-1', status('new')),
      blockedBy('OTHER-1', status('done')),
      blockedBy('OTHER-2', status('new')),
      {
        type: { name: 'Relates', inward: 'relates to', outward: 'relates to' },
        inwardIssue: issue('ABC-3', {}),
      },
    ],
  }),
  issue('ABC-3', { status: status('done') }),
];

/** Jira, with three issues on two pages. */
export function jira(given: (asked: Asked, number: number) => Given | null = () => null) {
  return serve((asked, number) => {
    const own = given(asked, number);
    if (own !== null) return own;
    if (asked.path === '/rest/api/3/search/jql') {
      return asked.body.nextPageToken === undefined
        ? { body: { issues: JIRA.slice(0, 2), nextPageToken: 'more', isLast: false } }
        : { body: { issues: JIRA.slice(2), isLast: true } };
    }
    if (asked.path.endsWith('/transitions') && asked.method === 'GET') {
      return {
        body: {
          transitions: [
            { id: '11', name: 'Start', to: status('indeterminate') },
            { id: '31', name: 'Finish', to: status('done') },
          ],
        },
      };
    }
    return { status: asked.path.endsWith('/comment') ? 201 : 204 };
  });
}

const linearIssue = (identifier: string, fields: object) => ({
  ...{ identifier, title: identifier, description: null, priority: 0, state: { type: 'unstarted' } },
  ...{ labels: { nodes: [] }, inverseRelations: { nodes: [] }, createdAt: '2026-01-01T00:00:00Z', ...fields },
});
const LINEAR = [
  linearIssue('ENG-2', {
    priority: 1,
    createdAt: '2026-01-02T00:00:00Z',
    inverseRelations: {
      nodes: [
        { type: 'blocks', issue: { identifier: 'ENG-1', state: { type: 'started' } } },
        { type: 'related', issue: { identifier: 'ENG-3', state: { type: 'started' } } },
      ],
    },
  }),
  linearIssue('ENG-1', { description: '- [ ] it works\n' }),
  linearIssue('ENG-3', { state: { type: 'canceled' }, createdAt: '2026-01-03T00:00:00Z' }),
];

/** Linear, with three issues on two pages. */
export function linear() {
  return serve(({ body }) => {
    const { query, variables } = body;
    if (query.includes('issues(')) {
      const nodes = variables.after === undefined ? LINEAR.slice(0, 2) : LINEAR.slice(2);
      const pageInfo = { hasNextPage: variables.after === undefined, endCursor: 'c' };
      return { body: { data: { issues: { nodes, pageInfo } } } };
    }
    if (query.includes('workflowStates'))
      return {
        body: {
          data: {
            workflowStates: {
              nodes: [
                { id: 'late', position: 9 },
                { id: 'done', position: 2 },
              ],
            },
          },
        },
      };
    return { body: { data: { change: { success: true } } } };
  });
}

/** State, who has it (`me`: the account in use), what the task says, and what it says with `skip_assigned`. */
export const PEOPLE = [
  ['started', 'Ada', { status: 'in_progress', assignee: 'Ada' }, 'parked'],
  ['new', 'Ada', { status: 'open', assignee: 'Ada' }, 'parked'],
  ['started', 'me', { status: 'open', assignee: null }, 'open'],
  ['new', 'me', { status: 'open', assignee: null }, 'open'],
  // A service's automation may have set this status: the issue has no assignee.
  ['started', null, { status: 'open', assignee: null }, 'open'],
  ['done', 'Ada', { status: 'done', assignee: 'Ada' }, 'done'],
] as const;
const KEYS = { started: 'indeterminate', new: 'new', done: 'done' } as const;
const LINEAR_STATES = { started: 'started', new: 'unstarted', done: 'completed' } as const;

/** A service with an issue for each of `PEOPLE`. */
export const peopleOf = (kind: 'jira' | 'linear') =>
  serve(({ path }) => {
    if (path === '/rest/api/3/myself') return { body: { accountId: 'id of me' } };
    if (kind === 'jira')
      return {
        body: {
          issues: PEOPLE.map(([state, who], at) =>
            issue(`ABC-${at}`, {
              status: status(KEYS[state]),
              assignee: who === null ? null : { accountId: `id of ${who}`, displayName: who },
            }),
          ),
        },
      };
    const nodes = PEOPLE.map(([state, who], at) =>
      linearIssue(`ABC-${at}`, {
        state: { type: LINEAR_STATES[state] },
        assignee: who === null ? null : { name: who, isMe: who === 'me' },
      }),
    );
    return { body: { data: { issues: { nodes } } } };
  });
