import { describe, expect, it } from 'vitest';
import { type Given, jira, linear, PEOPLE, peopleOf, serve } from '../../test/services.ts';
import { askService } from './ask-service.ts';
import { type OpenedList, openService } from './index.ts';

const ENV = { JIRA_TOKEN: 'secret', JIRA_EMAIL: 'me@example.com', LINEAR_API_KEY: 'lin_secret' };
const NOW = '2026-01-01T00:00:00.000Z';

function open(kind: 'jira' | 'linear', path: string, { label = '', env = ENV as NodeJS.ProcessEnv } = {}) {
  const clock = { now: () => NOW, sleep: async () => undefined };
  return openService(kind, { path, label, cwd: '/' }, { clock, env, userAgent: 'test' }, []);
}

function opened(...of: Parameters<typeof open>): OpenedList {
  const list = open(...of);
  if (!list.ok) throw new Error(list.message);
  return list.value;
}

async function tasksIn(list: OpenedList) {
  const loaded = await list.load();
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.tasks;
}

describe('Jira', () => {
  it('gives all pages as tasks, with boxes, attributes, priority and what they wait for', async () => {
    const { origin, asked } = await jira();
    const list = opened('jira', `${origin}/browse/ABC`, { label: 'ra"lph' });
    expect(list.name).toBe('Jira ABC (ra"lph)');
    const tasks = await tasksIn(list);
    expect(tasks).toMatchObject([
      { id: 'ABC-1', title: 'Show months', status: 'open', priority: 1, expectedPaths: ['src/month.js'] },
      { id: 'ABC-2', kind: 'research', dependsOn: ['ABC-1', 'OTHER-2'] },
      { id: 'ABC-3', status: 'done' },
    ]);
    expect(tasks[0]?.acceptance).toEqual(['months are shown', 'and days']);
    expect(asked.map(({ body }) => body.nextPageToken)).toEqual([undefined, 'more']);
    expect(asked[0]?.body.jql).toBe('project = "ABC" AND labels = "ra\\"lph" ORDER BY created ASC');
    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('me@example.com:secret').toString('base64')}`);
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
    const loaded = await opened('jira', `${origin}/browse/ABC`).load();
    expect(loaded).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(JSON.stringify(loaded)).not.toContain('secret');
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['seconds', '7'],
    ['a date', 'Thu, 01 Jan 2026 00:00:07 GMT'],
  ])('too many requests are waited for as long as it says in %s, a few times', async (_, after) => {
    const { origin, asked } = await serve(() => ({ status: 429, headers: { 'retry-after': after } }));
    const waits: number[] = [];
    const service = { name: 'Jira', authorization: 'x', variables: 'JIRA_TOKEN' };
    const clock = { now: () => NOW, sleep: async (ms: number) => void waits.push(ms) };
    expect(await askService(service, origin, { clock, userAgent: 'test' }, {})).toMatchObject({ ok: false });
    expect(waits).toEqual([7000, 7000]);
    expect(asked).toHaveLength(3);
  });

  it('the network is gone: said, and the next load finds all of it', async () => {
    expect(await opened('jira', 'http://127.0.0.1:1/browse/ABC').load()).toMatchObject({
      ok: false,
      message: expect.stringMatching(/can't be reached at 127\.0\.0\.1:1.*Nothing is lost/),
    });
  });

  it('says where there is no step to a status that is done', async () => {
    const { origin } = await jira(({ method }) => (method === 'GET' ? { body: { transitions: [] } } : null));
    expect(await opened('jira', `${origin}/browse/ABC`).close('ABC-1')).toMatchObject({
      message: expect.stringMatching(/no step from where ABC-1 is/),
    });
  });
});

describe('Linear', () => {
  it('gives all pages as tasks, oldest first, with what they wait for', async () => {
    const { origin, asked } = await linear();
    const tasks = await tasksIn(opened('linear', `${origin}/acme/team/ENG/active`, { label: 'ralph' }));
    expect(tasks).toMatchObject([
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
    const list = opened('linear', `${origin}/acme/team/ENG`);
    expect(await list.comment('ENG-1', 'Done.\n')).toEqual({ ok: true, value: null });
    expect(await list.close('ENG-1')).toEqual({ ok: true, value: null });
    expect(asked.map(({ body }) => body.variables)).toMatchObject([
      { id: 'ENG-1', body: 'Done.\n' },
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
    expect(await opened('linear', `${origin}/acme/team/ENG`).load()).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    });
  });
});

describe.each(['jira', 'linear'] as const)('%s', (kind) => {
  it('says who has an issue, and asks once for the account in use', async () => {
    const { origin, asked } = await peopleOf(kind);
    const list = opened(kind, `${origin}/browse/ABC`);
    for (const _ of [1, 2]) expect(await tasksIn(list)).toMatchObject(PEOPLE.map(([, , read]) => read));
    const accounts = asked.filter(({ path }) => path.endsWith('/myself'));
    expect(accounts).toHaveLength(kind === 'jira' ? 1 : 0);
    if (kind === 'linear') expect(asked[0]?.body.query).toContain('assignee { name isMe }');
    else expect(asked[0]?.body.fields).toContain('assignee');
  });

  it.each([
    '',
    'ABC',
    'http://example.com/browse/ABC',
    'https://user:key@example.com/browse/ABC',
    'https://example.com/',
  ])('opens no list at %j', (path) => {
    expect(open(kind, path)).toMatchObject({
      ok: false,
      message: expect.stringContaining('has to be the address'),
    });
  });

  it('opens no list without a key', () => {
    expect(open(kind, 'http://127.0.0.1:1/team/ABC', { env: {} })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/needs to know you: set (?:JIRA_TOKEN|LINEAR_API_KEY)/),
    });
  });
});
