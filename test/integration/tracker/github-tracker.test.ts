import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { fakeGh } from '../../../packages/task-lists/test/fake-gh.ts';
import { readIdea } from '../../../src/app/commands/plan/draft.ts';
import { openTracker } from '../../../src/app/setup/tracker/index.ts';
import type { Config } from '../../../src/domain/config.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { overlaid } from '../../../src/loop/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { memoryStore, trackerConfig } from './helpers.ts';

const fixture = new URL('../../fixtures/trackers/github-issues.json', import.meta.url).pathname;
const github = (fields: Partial<Config['tracker']> = {}) =>
  trackerConfig({ kind: 'github', label: 'ralph', ...fields });

describe('an idea', () => {
  it('is what an issue says, asked of gh alone, without what can not be seen', async () => {
    const { root, calls } = fakeGh(`printf '{"title": "Months", "body": "Show \\\\u202ethem"}'`);
    const url = 'https://github.com/some/one/issues/12';
    expect(await readIdea([url], root)).toEqual({ ok: true, idea: 'Months\n\nShow them' });
    expect(calls()).toBe(`issue|view|${url}|--json=title,body|\n`);
  });

  it.each([
    'https://example.org/some/one/issues/12',
    'http://github.com/some/one/issues/12',
    'https://github.com/some/one/issues/12?x=$(y)',
    'https://github.com/some/one/pull/12',
    'file:///etc/passwd',
  ])('%s is refused, and nothing is asked', async (url) => {
    const { root, calls } = fakeGh('echo "{}"');
    expect(await readIdea([url], root)).toMatchObject({ ok: false });
    expect(calls()).toBe('');
  });

  it('of a list on GitHub is refused before an agent works', async () => {
    const { root } = fakeGh('echo "[]"');
    const tracker = openTracker({ root, store: memoryStore(), config: github() });
    await expect(tracker.addPlan({ tasks: [], replaces: null }, 'try')).rejects.toThrow(/gh issue create/);
  });

  it('that is a file, a folder or too much', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'idea.md'), '\ufeffMonths\r\n');
    writeFileSync(join(root, 'big.md'), 'x'.repeat(100_000));
    mkdirSync(join(root, 'src'));
    expect(await readIdea(['idea.md'], root)).toEqual({ ok: true, idea: 'Months' });
    expect(await readIdea(['src'], root)).toMatchObject({ ok: false });
    expect(await readIdea(['big.md'], root)).toMatchObject({ ok: false });
    expect(await readIdea(['Months'], root)).toEqual({ ok: true, idea: 'Months' });
  });
});

describe('the GitHub tracker', () => {
  describe('with assignees', () => {
    const issues = [['ada'], ['Me'], [], ['ada', 'me'], ['ada', 'bob']].map((logins, at) => ({
      ...{ number: at + 1, title: 'a', state: 'OPEN', assignees: logins.map((login) => ({ login })) },
    }));
    const answers = (account: string) =>
      `case "$1" in api) ${account};; *) printf '%s' '${JSON.stringify(issues)}';; esac`;
    const load = async (account: string, skips: boolean) => {
      const { root, calls } = fakeGh(answers(account));
      const tracker = openTracker({ root, store: memoryStore(), config: github({ skip_assigned: skips }) });
      const loaded = await tracker.load();
      if (!loaded.ok) throw new Error(loaded.message);
      await tracker.load();
      const asked = calls()
        .split('\n')
        .filter((line) => line.startsWith('api|')).length;
      return { asked, tasks: loaded.tasks.map(({ status, assignee }) => [status, assignee]) };
    };
    const ada = ['in_progress', 'ada'];
    const both = ['in_progress', 'ada, bob'];
    const mine = ['open', null];

    it.each([
      [
        'what others have is in progress, and yours is open',
        'echo "{\\"login\\":\\"me\\"}"',
        [ada, mine, mine, mine, both],
      ],
      [
        'a token without a user has none of it',
        'echo "HTTP 403" >&2; exit 1',
        [ada, ['in_progress', 'Me'], mine, ['in_progress', 'ada, me'], both],
      ],
    ] as const)('%s; who you are is asked once', async (_, account, tasks) => {
      expect(await load(account, false)).toEqual({ asked: 1, tasks });
      const skipped = tasks.map(([status, who]) => [who === null ? status : 'parked', who]);
      expect(await load(account, true)).toEqual({ asked: 1, tasks: skipped });
    });
  });

  it('loads issues as tasks', async () => {
    const { root } = fakeGh(`cat '${fixture}'`);
    const load = await openTracker({ root, store: memoryStore(), config: github() }).load();
    expect(load).toMatchObject({
      ok: true,
      format: 'github',
      name: 'GitHub issues (ralph)',
      paths: [],
      holdsBlocked: false,
      tasks: [
        { id: '#7', status: 'done' },
        { id: '#12', status: 'open' },
        { id: '#15', status: 'blocked' },
      ],
    });
  });

  it.each([
    [false, 'done'],
    [true, 'open'],
  ])(
    'takes a verified task with an open issue, close_on_done = %s, for %s',
    async (close_on_done, status) => {
      const { root } = fakeGh(`cat '${fixture}'`);
      const at = '2026-01-01T00:00:00.000Z';
      const doneBy = {
        kind: 'verdict' as const,
        run: 'r-1',
        iteration: 2,
        title: 'Store notes in a file',
        at,
      };
      const store = memoryStore({ tasks: { '#12': { ...EMPTY_TASK_STATE, doneBy } }, imports: false });
      const load = await openTracker({ root, store, config: github({ close_on_done }) }).load();
      const tasks = load.ok ? overlaid(load, store.state) : [];
      expect(tasks.find((task) => task.id === '#12')?.status).toBe(status);
    },
  );

  it.each([
    ['someone else', 'ann', [{ kind: 'issue', by: 'ann' }]],
    ['the account in use', 'Me', []],
  ])('an issue closed by %s', async (_name, closer, expected) => {
    const answers = `case "$2" in user) echo '{"login":"me"}';; *) echo '{"closed_by":{"login":"${closer}"}}';; esac`;
    const { root, calls } = fakeGh(answers);
    const tracker = openTracker({ root, store: memoryStore(), config: github() });
    const tasks = [{ ...EMPTY_TASK, id: '#7', title: 'Seven' }];
    const explained = await tracker.explain(tasks, true);
    expect(explained).toMatchObject(expected.map((doneBy) => ({ taskId: '#7', doneBy })));
    expect(calls()).toBe('api|user|\napi|repos/{owner}/{repo}/issues/7|\n');
    // What is unexplained isn't asked for before every attempt.
    if (expected.length === 0) expect(await tracker.explain(tasks, true)).toEqual([]);
    expect(calls().split('\n')).toHaveLength(3);
  });

  it('explains nothing where GitHub does not say who closed it', async () => {
    const { root } = fakeGh(`[ "$2" = user ] && exit 1; echo '{"closed_by":{"login":"ann"}}'`);
    const tracker = openTracker({ root, store: memoryStore(), config: github() });
    expect(await tracker.explain([{ ...EMPTY_TASK, id: '#7' }], false)).toEqual([]);
  });

  it.each<[Partial<Config['tracker']>, string]>([
    [{}, ''],
    [{ comment_on_done: true }, 'issue|comment|12|--body-file=-|Done and verified by ralph.\n\n'],
    [{ close_on_done: true }, 'issue|close|12|\n'],
  ])('with %j does no more than that', async (fields, expected) => {
    const { root, calls } = fakeGh('');
    const tracker = openTracker({ root, store: memoryStore(), config: github(fields) });
    expect(await tracker.show('#12', 'blocked')).toBeNull();
    expect(await tracker.show('#12', 'done')).toBeNull();
    expect(calls()).toBe(expected);
  });

  it('passes failures on', async () => {
    const { root } = fakeGh('echo "HTTP 502" >&2; exit 1');
    const tracker = openTracker({ root, store: memoryStore(), config: github({ close_on_done: true }) });
    expect(await tracker.load()).toMatchObject({ ok: false, message: expect.stringContaining('HTTP 502') });
    await expect(tracker.show('#12', 'done')).resolves.toMatchObject({
      message: expect.stringContaining('HTTP 502'),
    });
    await expect(tracker.show('x', 'done')).resolves.toMatchObject({
      message: expect.stringContaining("isn't a GitHub issue"),
    });
  });

  it('refuses an answer of another form', async () => {
    const { root } = fakeGh('echo \'[{"number": "x"}]\'');
    const load = await openTracker({ root, store: memoryStore(), config: github() }).load();
    expect(load).toMatchObject({ ok: false, message: expect.stringContaining('0.number') });
  });
});
