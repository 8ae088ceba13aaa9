import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { jira, linear, PEOPLE, peopleOf } from '../../../packages/task-lists/test/services.ts';
import { openTracker } from '../../../src/app/setup/tracker/index.ts';
import type { Config } from '../../../src/domain/config.ts';
import { overlaid } from '../../../src/loop/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { memoryStore, trackerConfig } from './helpers.ts';

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

it('a closed ticket waits for a verdict, as a tick does', async () => {
  const { origin } = await jira();
  const tracker = open('jira', `${origin}/browse/ABC`);
  const loaded = await tracker.load();
  if (!loaded.ok) throw new Error(loaded.message);
  expect(loaded.name).toBe('Jira ABC');
  const { state } = memoryStore({ imports: false });
  expect(overlaid(loaded, state).map(({ status }) => status)).toEqual(['open', 'open', 'unverified']);
  expect(await tracker.explain(loaded.tasks, false)).toEqual([]);
});

it('a ticket gets a comment, and the step to a status that is done', async () => {
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

it('what the service refuses is the answer', async () => {
  const { origin } = await jira(({ method }) => (method === 'GET' ? { body: { transitions: [] } } : null));
  const tracker = open('jira', `${origin}/browse/ABC`, { close_on_done: true });
  await expect(tracker.show('ABC-1', 'done')).resolves.toMatchObject({
    message: expect.stringMatching(/no step from where ABC-1 is/),
  });
});

it("the comment is ralph's", async () => {
  const { origin, asked } = await linear();
  const tracker = open('linear', `${origin}/acme/team/ENG`, { comment_on_done: true });
  expect(await tracker.show('ENG-1', 'done')).toBeNull();
  expect(asked[0]?.body.variables).toMatchObject({ id: 'ENG-1', body: 'Done and verified by ralph.\n' });
});

describe.each(['jira', 'linear'] as const)('%s', (kind) => {
  it.each([false, true])('is read with who has each ticket; skip_assigned = %s', async (skips) => {
    const { origin } = await peopleOf(kind);
    const loaded = await open(kind, `${origin}/browse/ABC`, { skip_assigned: skips }).load();
    if (!loaded.ok) throw new Error(loaded.message);
    expect(loaded.tasks).toMatchObject(
      PEOPLE.map(([, , read, skipped]) => (skips ? { ...read, status: skipped } : read)),
    );
    expect(loaded.tasks[1]?.left).toEqual(skips ? { kind: 'assigned', of: 'Ada' } : null);
  });

  it('is not loaded, marked or explained without a key', async () => {
    for (const name of Object.keys(VARIABLES)) delete process.env[name];
    const tracker = open(kind, 'http://127.0.0.1:1/team/ABC', { close_on_done: true });
    const message = expect.stringMatching(/needs to know you: set (?:JIRA_TOKEN|LINEAR_API_KEY)/);
    expect(await tracker.load()).toMatchObject({ ok: false, message });
    expect(await tracker.show('ABC-1', 'done')).toMatchObject({ message });
    expect(await tracker.explain([], false)).toEqual([]);
  });
});
