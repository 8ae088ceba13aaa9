import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openTracker } from '../../../src/app/setup/tracker/index.ts';
import type { Config } from '../../../src/domain/config.ts';
import { askService } from '../../../src/io/tracker/ask-service.ts';
import { overlaid } from '../../../src/loop/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { memoryStore, trackerConfig } from './helpers.ts';

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is asked is what the tests find out
  readonly body: any;
};
type Given = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A service on the loopback interface, whose answers are made of what it is asked. */
async function serve(answer: (asked: Asked, number: number) => Given) {
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

const VARIABLES = { JIRA_TOKEN: 'secret', JIRA_EMAIL: 'me@example.com', LINEAR_API_KEY: 'lin_secret' };
beforeEach(() => {
  Object.assign(process.env, VARIABLES);
  onTestFinished(() => {
    for (const name of Object.keys(VARIABLES)) delete process.env[name];
  });
});

const open = (kind: 'jira' | 'linear', path: string, fields: Partial<Config['tracker']> = {}) =>
  openTracker({
    root: temporaryFolder(),
    store: memoryStore(),
    config: trackerConfig({ kind, path, ...fields }),
  });

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

function jira(given: (asked: Asked, number: number) => Given | null = () => null) {
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

function linear() {
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

describe('Jira', () => {
  it('gives all pages as tasks, with boxes, attributes, priority and what they wait for', async () => {
    const { origin, asked } = await jira();
    const loaded = await open('jira', `${origin}/browse/ABC`, { label: 'ra"lph' }).load();
    if (!loaded.ok) throw new Error(loaded.message);
    expect(loaded.name).toBe('Jira ABC (ra"lph)');
    expect(loaded.tasks).toMatchObject([
      { id: 'ABC-1', title: 'Show months', status: 'open', priority: 1, expectedPaths: ['src/month.js'] },
      { id: 'ABC-2', kind: 'research', dependsOn: ['ABC-1', 'OTHER-2'] },
      { id: 'ABC-3', status: 'done' },
    ]);
    expect(loaded.tasks[0]?.acceptance).toEqual(['months are shown', 'and days']);
    expect(asked.map(({ body }) => body.nextPageToken)).toEqual([undefined, 'more']);
    expect(asked[0]?.body.jql).toBe('project = "ABC" AND labels = "ra\\"lph" ORDER BY created ASC');
    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('me@example.com:secret').toString('base64')}`);
  });

  it('a closed ticket waits for a verdict, as a tick does', async () => {
    const { origin } = await jira();
    const tracker = open('jira', `${origin}/browse/ABC`);
    const loaded = await tracker.load();
    if (!loaded.ok) throw new Error(loaded.message);
    const { state } = memoryStore({ imports: false });
    expect(overlaid(loaded, state).map(({ status }) => status)).toEqual(['open', 'open', 'unverified']);
    expect(await tracker.explain(loaded.tasks, false)).toEqual([]);
  });

  it('gets a comment, and the step to a status that is done', async () => {
    const { origin, asked } = await jira();
    const tracker = open('jira', `${origin}/browse/ABC`, { comment_on_done: true, close_on_done: true });
    expect(await tracker.show('ABC-1', 'in_progress')).toBeNull();
    expect(asked).toEqual([]);
    expect(await tracker.show('ABC-1', 'done')).toBeNull();
    expect(asked.map(({ method, path }) => `${method} ${path.replace('/rest/api/3/issue/', '')}`)).toEqual([
      'POST ABC-1/comment',
      'GET ABC-1/transitions',
      'POST ABC-1/transitions',
    ]);
    expect(asked[2]?.body).toEqual({ transition: { id: '31' } });
  });

  it('says where there is no step to such a status', async () => {
    const { origin } = await jira(({ method }) => (method === 'GET' ? { body: { transitions: [] } } : null));
    const tracker = open('jira', `${origin}/browse/ABC`, { close_on_done: true });
    await expect(tracker.show('ABC-1', 'done')).resolves.toMatchObject({
      message: expect.stringMatching(/no step from where ABC-1 is/),
    });
  });

  it.each<[string, Given, RegExp]>([
    ['401', { status: 401 }, /doesn't know you \(401\): set JIRA_EMAIL and JIRA_TOKEN anew/],
    ['403', { status: 403, body: { errorMessages: ['no'] } }, /doesn't let you \(403\)/],
    [
      '400',
      { status: 400, body: { errorMessages: ["The value 'ABC' does not exist"] } },
      /400: The value 'ABC'/,
    ],
    ['a page', { body: '<html>sign in</html>' }, /answered no JSON/],
    ['another form', { body: { issues: [{ key: 1 }] } }, /a form that is not known: 0\.key/],
    ['a redirection', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /answered 302/],
    [
      'too many requests',
      { status: 429, headers: { 'retry-after': '3600' } },
      /asks for 3600 s.*Nothing is lost/,
    ],
  ])('%s is said', async (_, given, message) => {
    const { origin, asked } = await jira(() => given);
    const loaded = await open('jira', `${origin}/browse/ABC`).load();
    expect(loaded).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(JSON.stringify(loaded)).not.toContain('secret');
    expect(asked).toHaveLength(1);
  });

  it('too many requests are waited for as long as it says, a few times', async () => {
    const { origin, asked } = await serve(() => ({ status: 429, headers: { 'retry-after': '7' } }));
    const waits: number[] = [];
    const service = { name: 'Jira', authorization: 'x', variables: 'JIRA_TOKEN' };
    const clock = { sleep: async (ms: number) => void waits.push(ms) };
    expect(await askService(service, origin, {}, clock)).toMatchObject({ ok: false });
    expect(waits).toEqual([7000, 7000]);
    expect(asked).toHaveLength(3);
  });

  it('the network is gone: said, and the next load finds all of it', async () => {
    const gone = await open('jira', 'http://127.0.0.1:1/browse/ABC').load();
    expect(gone).toMatchObject({
      ok: false,
      message: expect.stringMatching(/can't be reached at 127\.0\.0\.1:1.*Nothing is lost/),
    });
  });
});

describe('Linear', () => {
  it('gives all pages as tasks, oldest first, with what they wait for', async () => {
    const { origin, asked } = await linear();
    const loaded = await open('linear', `${origin}/acme/team/ENG/active`, { label: 'ralph' }).load();
    if (!loaded.ok) throw new Error(loaded.message);
    expect(loaded.tasks).toMatchObject([
      { id: 'ENG-1', acceptance: ['it works'], priority: null },
      { id: 'ENG-2', priority: 1, dependsOn: ['ENG-1'] },
      { id: 'ENG-3', status: 'done' },
    ]);
    expect(asked[0]).toMatchObject({ path: '/graphql', authorization: 'lin_secret' });
    expect(asked[0]?.body.variables.filter).toEqual({
      team: { key: { eq: 'ENG' } },
      labels: { some: { name: { eq: 'ralph' } } },
    });
  });

  it('gets a comment, and its first completed state', async () => {
    const { origin, asked } = await linear();
    const tracker = open('linear', `${origin}/acme/team/ENG`, { comment_on_done: true, close_on_done: true });
    expect(await tracker.show('ENG-1', 'done')).toBeNull();
    expect(asked.map(({ body }) => body.variables)).toMatchObject([
      { id: 'ENG-1', body: 'Done and verified by ralph.\n' },
      { filter: { type: { eq: 'completed' } } },
      { id: 'ENG-1', stateId: 'done' },
    ]);
  });

  it.each<[string, Given, RegExp]>([
    [
      'a key that it does not know',
      { status: 400, body: { errors: [{ message: 'no', extensions: { code: 'AUTHENTICATION_ERROR' } }] } },
      /set LINEAR_API_KEY anew/,
    ],
    [
      'a limit',
      {
        status: 400,
        headers: { 'retry-after': '900' },
        body: { errors: [{ message: 'slow', extensions: { code: 'RATELIMITED' } }] },
      },
      /asks for 900 s/,
    ],
    [
      'an error with a good status',
      { body: { errors: [{ message: 'Entity not found' }] } },
      /Entity not found/,
    ],
    ['nothing', { body: { data: null } }, /without issues/],
  ])('%s is said', async (_, given, message) => {
    const { origin } = await serve(() => given);
    expect(await open('linear', `${origin}/acme/team/ENG`).load()).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    });
  });
});

/** State, who has it (`me`: the account in use), what the task says, and what it says with `skip_assigned`. */
const PEOPLE = [
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

describe.each(['jira', 'linear'] as const)('who has a ticket of %s', (kind) => {
  const people = () =>
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
  const address = (origin: string) => (kind === 'jira' ? `${origin}/browse/ABC` : `${origin}/acme/team/ABC`);

  it.each([false, true])('is read with its state; skip_assigned = %s', async (skips) => {
    const { origin, asked } = await people();
    const tracker = open(kind, address(origin), { skip_assigned: skips });
    for (const _ of [1, 2]) {
      const loaded = await tracker.load();
      if (!loaded.ok) throw new Error(loaded.message);
      expect(loaded.tasks).toMatchObject(
        PEOPLE.map(([, , read, skipped]) => (skips ? { ...read, status: skipped } : read)),
      );
      expect(loaded.tasks[1]?.left).toEqual(skips ? { kind: 'assigned', of: 'Ada' } : null);
    }
    const accounts = asked.filter(({ path }) => path.endsWith('/myself'));
    expect(accounts).toHaveLength(kind === 'jira' ? 1 : 0);
    if (kind === 'linear') expect(asked[0]?.body.query).toContain('assignee { name isMe }');
    else expect(asked[0]?.body.fields).toContain('assignee');
  });
});

describe.each(['jira', 'linear'] as const)('%s', (kind) => {
  it.each([
    '',
    'ABC',
    'http://example.com/browse/ABC',
    'https://user:key@example.com/browse/ABC',
    'https://example.com/',
  ])('makes no request for a list at %j', async (path) => {
    expect(await open(kind, path).load()).toMatchObject({
      ok: false,
      message: expect.stringContaining('has to be the address'),
    });
  });

  it('makes no request without a key', async () => {
    for (const name of Object.keys(VARIABLES)) delete process.env[name];
    expect(await open(kind, 'http://127.0.0.1:1/team/ABC').load()).toMatchObject({
      ok: false,
      message: expect.stringMatching(/needs to know you: set (?:JIRA_TOKEN|LINEAR_API_KEY)/),
    });
  });
});
