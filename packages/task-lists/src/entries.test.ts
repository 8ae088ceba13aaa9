import { describe, expect, it } from 'vitest';
import { fixture, parsed, readerOf } from '../test/fixtures.ts';
import { parseTracker } from './index.ts';

const story = (fields: object, list = 'stories') =>
  parsed(
    JSON.stringify({
      [list]: [
        { id: 'A', title: 't', ...fields },
        { id: 'B', title: 'u' },
      ],
    }),
    'prd.json',
  );

describe('JSON trackers', () => {
  it('reads the stories form', () => {
    const gold = parsed(fixture('prd-gold.json'), 'prd.json');
    expect(gold.format).toBe('json-stories');
    expect(gold.holdsBlocked).toBe(true);
    expect(
      gold.tasks.map(({ id, status, priority, dependsOn }) => [id, status, priority, dependsOn]),
    ).toEqual([
      ['S1', 'done', 1, []],
      ['S2', 'open', 3, ['S1']],
      ['3', 'blocked', null, ['S2']],
    ]);
    expect(gold.tasks[0]?.acceptance).toEqual(['--help prints the commands', 'unknown options exit with 2']);
  });

  it('reads the userStories form, which cannot say blocked', () => {
    const user = parsed(fixture('prd-user-stories.json'), 'prd.json');
    expect(user.format).toBe('json-user-stories');
    expect(user.holdsBlocked).toBe(false);
    expect(user.tasks[1]).toMatchObject({
      id: 'US-002',
      status: 'open',
      priority: 1,
      acceptance: ['newest first'],
      dependsOn: ['US-001'],
      notes: 'keep it plain',
    });
    expect(user.tasks[2]?.id).toMatch(/^t-/);
  });

  it.each([
    ['depends_on', { depends_on: ['B'] }, { dependsOn: ['B'] }],
    ['dependencies as a text', { dependencies: 'B' }, { dependsOn: ['B'] }],
    ['a dependency by number', { dependsOn: [2] }, { dependsOn: ['B'] }],
    ['acceptance_criteria', { acceptance_criteria: ['x'] }, { acceptance: ['x'] }],
    ['steps', { steps: ['x', 'y'] }, { acceptance: ['x', 'y'] }],
    ['name', { title: '', name: 'n' }, { title: 'n' }],
    ['a description in the place of a title', { title: null, description: 'd\ne' }, { title: 'd' }],
    ['timeout', { timeout: '30m' }, { timeoutSeconds: 1800 }],
    ['files', { files: ['src/**'] }, { expectedPaths: ['src/**'] }],
    ['epic', { epic: 'E1' }, { group: 'E1' }],
    ['one check', { checks: 'npm test' }, { checks: ['npm test'] }],
    [
      'checks',
      { checks: ['npm test', 'a | b'], proof: 'Tests' },
      { checks: ['npm test', 'a | b'], proof: 'tests' },
    ],
    ['P2', { priority: 'P2' }, { priority: 2 }],
  ])('alias: %s', (_, fields, expected) => {
    expect(story(fields).tasks[0]).toMatchObject(expected);
  });

  it.each([
    [{ passes: true }, 'done'],
    [{ passes: false, status: 'done' }, 'open'],
    [{ status: 'In Progress' }, 'in_progress'],
    [{ status: 'todo' }, 'open'],
    [{ status: 'completed' }, 'done'],
    [{ status: 'stuck' }, 'blocked'],
    [{ blocked: true }, 'blocked'],
    [{ status: 'parked' }, 'parked'],
    [{}, 'open'],
  ])('%j is %s', (fields, status) => {
    expect(story(fields).tasks[0]?.status).toBe(status);
  });

  it('reports wrong values and leaves an unknown status alone', () => {
    const { tasks, problems } = story({ priority: {}, acceptance: [[]], status: 'frozen', passes: 'yes' });
    const left = { kind: 'unknown_word', of: 'frozen' };
    expect(tasks[0]).toMatchObject({ priority: null, acceptance: [], status: 'parked', left });
    expect(problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining('the status "frozen" isn\'t known, so A is left alone'),
      'task A: passes: expected true or false, found "yes"',
      'task A: acceptance: expected a list of texts, found [[]]',
      'task A: priority: expected a number or high, medium, low, found {}',
    ]);
  });

  it('reads a bare list, and a list under "tasks"', () => {
    expect(parsed('[{"title": "a"}]', 'x.json').tasks).toHaveLength(1);
    expect(story({}, 'tasks').tasks).toHaveLength(2);
  });

  it.each([
    ['{"stories": [', "isn't valid JSON"],
    ['{"items": []}', 'found the keys "items"'],
    ['3', 'found 3'],
    ['{"stories": {}}', 'has no task list'],
  ])('refuses %s', (text, part) => {
    const result = parseTracker(text, 'prd.json', readerOf(text, 'prd.json', 'json'), []);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });

  it('names the line and the nearest field or value', () => {
    const text =
      '{"tasks": [\n  {"id": "A", "title": "a",\n   "dependOn": ["B"]},\n  {"id": "B", "title": "b",\n   "kind": "verfy", "timeout": "5 mins", "estimate": 3}\n]}';
    const { problems } = parsed(text, 'prd.json');
    expect(problems.map(({ line, message, tasks }) => [line, message, tasks])).toEqual([
      [3, 'task A: there is no field "dependOn". Did you mean "dependsOn"?', ['A']],
      [5, expect.stringContaining('Did you mean verify?'), ['B']],
      [5, expect.stringContaining('Did you mean 5m?'), ['B']],
    ]);
  });

  it("says of what isn't an object that it isn't one, and continues", () => {
    const { tasks, problems } = parsed('{"stories": [1, {"id": "A", "title": "a"}]}', 'prd.json');
    expect(tasks.map((task) => task.title)).toEqual(['Task 1', 'a']);
    expect(problems[0]?.tasks).toEqual([tasks[0]?.id]);
    expect(problems[0]?.message).toBe('task 1: expected an object, found 1');
  });

  it.each(['', ' \n', '\uFEFF'])('finds nothing in the empty file %j', (text) => {
    expect(parsed(text, 'prd.json')).toMatchObject({
      tasks: [],
      problems: [{ message: 'the file is empty' }],
    });
  });
});

describe('YAML trackers', () => {
  it.each(['tasks.yaml', 'tasks-crlf.yaml'])('reads %s', (name) => {
    const yaml = parsed(fixture(name), name);
    expect(yaml.format).toBe('yaml');
    expect(yaml.holdsBlocked).toBe(true);
    expect(yaml.tasks.map(({ id, status, group, dependsOn }) => [id, status, group, dependsOn])).toEqual([
      ['1', 'done', 'cli', []],
      ['2', 'open', 'core', ['1']],
      ['3', 'blocked', null, ['2']],
      [expect.stringMatching(/^t-/), 'open', 'core', []],
    ]);
  });

  it('names the line of a slip', () => {
    const { problems } = parsed(
      'tasks:\n- title: a\n- title: b\n  completed: yes\n- just text\n',
      'tasks.yaml',
    );
    expect(problems).toEqual([
      {
        line: 4,
        tasks: [expect.any(String)],
        message: 'task 2: completed: expected true or false, found "yes"',
      },
      { line: 5, tasks: [expect.any(String)], message: 'task 3: expected an object, found "just text"' },
    ]);
  });

  it.each([
    ['tasks: [', "isn't valid YAML"],
    ['tasks:\n- id: 1\n  id: 2\n', "isn't valid YAML"],
    ['other: 1', 'found the keys "other"'],
    [
      'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\ntasks: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]',
      'YAML',
    ],
  ])('refuses %j', (text, part) => {
    const result = parseTracker(text, 'tasks.yaml', readerOf(text, 'tasks.yaml', 'yaml'), []);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });

  it.each(['', '# nothing\n', 'tasks:\n'])('finds nothing in %j', (text) => {
    expect(parsed(text, 'tasks.yaml').tasks).toEqual([]);
  });
});

it.each([
  ['tracker', '{"stories": []}', 'json-stories'],
  ['tracker', '[x] no list', 'markdown-prd'],
  ['tracker.txt', '- [ ] a', 'markdown-prd'],
])('kind auto takes %s with %j for %s', (path, text, format) => {
  expect(parsed(text, path).format).toBe(format);
});
