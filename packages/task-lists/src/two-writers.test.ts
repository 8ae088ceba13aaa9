import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseTracker, type ReadSettings, setTrackerStatus, trackerReader } from './index.ts';

/** A list that the tool of this name and version made or marked. */
const made = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/tools/${name}`, import.meta.url), 'utf8');

async function read(text: string, path: string, settings: ReadSettings = {}) {
  const reader = await trackerReader(text, path, 'auto', settings);
  const parsed = parseTracker(text, path, reader, []);
  if (!parsed.ok) throw new Error(parsed.message);
  const set = (id: string) => {
    const edited = setTrackerStatus(text, path, reader, [], id, 'done');
    if (!edited.ok) throw new Error(edited.message);
    return edited.text;
  };
  const short = parsed.tasks.map(({ id, status }) => `${id} ${status}`);
  return { ...parsed, short, set, messages: parsed.problems.map(({ message }) => message) };
}

describe('OpenSpec 1.13.2', () => {
  // `openspec list` counts 3 of 9 tasks as done with these marks.
  it('reads marks as the tool counts them, and writes them in place', async () => {
    const list = made('openspec-1.13.2/tasks-marks.md');
    const { short, messages, set } = await read(list, 'openspec/changes/c/tasks.md');
    expect(short.filter((one) => one.endsWith('done'))).toEqual(['1.2 done', '1.6 done', '1.7 done']);
    expect(short.filter((one) => one.endsWith('open'))).toHaveLength(6);
    expect(messages).toEqual([]);
    expect(set('1.3')).toBe(list.replace('- [] 1.3', '- [x] 1.3'));
    expect(set('1.4')).toBe(list.replace('- [-] 1.4', '- [x] 1.4'));
    expect(set('1.8')).toBe(list.replace('* [ ] 1.8', '* [x] 1.8'));
  });
});

describe('words for states', () => {
  const list = (...words: string[]) =>
    JSON.stringify(words.map((status, at) => ({ id: `T-${at}`, title: 't', status })));

  it.each([
    ["Won't Do", []],
    ['Won’t do', []],
    ['wontfix', []],
    ['Canceled', []],
    ['QA', ['T-0 parked']],
    ['on hold', ['T-0 parked']],
    ['In Progress', ['T-0 in_progress']],
    ['Completed', ['T-0 done']],
  ])('%s', async (word, expected) => {
    expect((await read(list(word), 'x.json')).short).toEqual(expected);
  });

  it('takes yours before its own, and writes the first one', async () => {
    const states = { done: ['Live', 'QA'], given_up: ['Shelved'], waiting: ['open'] };
    const { short, set } = await read(list('QA', 'Shelved', 'open', 'todo'), 'x.json', { states });
    expect(short).toEqual(['T-0 done', 'T-2 parked', 'T-3 open']);
    expect(JSON.parse(set('T-3'))[3].status).toBe('Live');
  });

  it.each([
    ['To Do, Shipped', 'Shipped'],
    ["To Do, Done, Won't Do", 'Done'],
    ['To Do, In Progress, Done, QA', 'QA'],
  ])('of %s writes %s', async (statuses, word) => {
    const text = `\u0000task-1.md\n---\nid: TASK-1\ntitle: a\nstatus: To Do\n---\n`;
    const config = `statuses: [${statuses
      .split(', ')
      .map((one) => JSON.stringify(one))
      .join(', ')}]\n`;
    const { set } = await read(text, 'backlog/tasks', {
      settingsAt: (path) => (path === '../config.yml' ? config : null),
    });
    expect(set('TASK-1')).toContain(`status: ${word}\n`);
  });

  it('takes those of beads by their categories', async () => {
    const text = ['in_review', 'qa', 'archived', 'odd']
      .map((status, at) => JSON.stringify({ id: `x-${at}`, title: 't', status }))
      .join('\n');
    const settingsAt = (path: string) =>
      path === 'config.yaml' ? 'status.custom: "in_review:frozen,qa:wip,archived:done,odd"\n' : null;
    const { short, tasks } = await read(text, '.beads/issues.jsonl', { settingsAt });
    expect(short).toEqual(['x-0 parked', 'x-1 in_progress', 'x-2 done', 'x-3 parked']);
    expect(tasks[3]?.left).toEqual({ kind: 'unknown_word', of: 'odd' });
  });
});

describe('beads', () => {
  it('takes memories, templates and gates for no work, and each line of acceptance for a criterion', async () => {
    const text = [
      { _type: 'memory', key: 'use-pnpm', value: 'always' },
      {
        _type: 'issue',
        id: 'x-1',
        title: 'Work',
        status: 'open',
        acceptance_criteria: 'one\ntwo',
        owner: 'a@b',
      },
      { id: 'x-2', title: 'Template', status: 'open', is_template: true },
      { id: 'x-3', title: 'Gate', status: 'open', issue_type: 'gate' },
      {
        ...{ id: 'x-4', title: 'After the gate', status: 'open', defer_until: '2099-01-01T00:00:00Z' },
        dependencies: [{ issue_id: 'x-4', depends_on_id: 'x-3', type: 'blocks' }],
      },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n');
    const { short, tasks, messages } = await read(text, '.beads/issues.jsonl');
    expect(short).toEqual(['x-1 open', 'x-4 parked']);
    expect(tasks[0]).toMatchObject({ acceptance: ['one', 'two'], assignee: null });
    expect(tasks[1]).toMatchObject({ left: { kind: 'held', of: 'x-3' }, notBefore: '2099-01-01T00:00:00Z' });
    expect(messages).toEqual([
      "3 entries that aren't work are passed over: memory (1), template (1), gate (1)",
    ]);
  });

  it('takes what `bd ready` leaves out for no work: what is short-lived or pinned, and children of what is deferred', async () => {
    const child = { issue_id: 'x-5', depends_on_id: 'x-4', type: 'parent-child' };
    const text = [
      { id: 'x-1', title: 'Session ended', status: 'open', issue_type: 'event', ephemeral: true },
      { id: 'x-2', title: 'Rules', status: 'open', pinned: true },
      { id: 'x-3', title: 'Done', status: 'open', issue_type: 'message' },
      { id: 'x-4', title: 'Later', status: 'open', issue_type: 'epic', defer_until: '2099-01-01T00:00:00Z' },
      { id: 'x-5', title: 'Its part', status: 'open', defer_until: '2001-01-01', dependencies: [child] },
      { id: 'x-6', title: 'Now', status: 'open' },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n');
    const { tasks, messages } = await read(text, '.beads/issues.jsonl');
    expect(tasks.map(({ id, notBefore }) => [id, notBefore])).toEqual([
      ['x-4', '2099-01-01T00:00:00Z'],
      ['x-5', '2099-01-01T00:00:00Z'],
      ['x-6', null],
    ]);
    expect(messages).toEqual([
      "3 entries that aren't work are passed over: ephemeral (1), pinned (1), message (1)",
    ]);
  });

  it.each([
    ['one\ntwo', ['one', 'two']],
    ['- one\r\n- [ ] two\r\n\r\n3. three', ['one', 'two', 'three']],
    ['Acceptance criteria:\n- one\n- two', ['one', 'two']],
    ['Tests for:\n- adding\n- removing\nAll pass', ['Tests for: adding', 'Tests for: removing', 'All pass']],
    ['It says:\nhello', ['It says:', 'hello']],
    ['1) one. 2) two (see 3) there); 3) three', ['one.', 'two (see 3) there);', 'three']],
    ['1) alone', ['alone']],
    ['Takes 1) and 2) as given', ['Takes 1) and 2) as given']],
  ])('reads the criteria %j', async (acceptance_criteria, criteria) => {
    const text = JSON.stringify({ id: 'x-1', title: 'a', status: 'open', acceptance_criteria });
    expect((await read(text, '.beads/issues.jsonl')).tasks[0]?.acceptance).toEqual(criteria);
  });
});

describe('small print', () => {
  it("takes ralph-starter's placeholders for no tasks", async () => {
    const list =
      '# Implementation Plan\n\n## Status\n\n- [ ] Task 1: (describe first task)\n- [ ] Task 2: (describe second task)\n';
    const { short, messages } = await read(list, 'IMPLEMENTATION_PLAN.md');
    expect(short).toEqual([]);
    expect(messages[0]).toContain('is a placeholder');
  });

  it('reads a title of two lines as one', async () => {
    const { tasks } = await read('[{"id": "A", "title": "Two\\nlines: title"}]', 'x.json');
    expect(tasks[0]?.title).toBe('Two lines: title');
  });

  it('names who has a task, and of a dependency that it is given up', async () => {
    const { tasks, givenUp } = await read(
      JSON.stringify([
        { id: 'A', title: 'a', status: 'in_progress', assignee: ['@bob', '@al'] },
        { id: 'B', title: 'b', status: 'cancelled' },
        { id: 'C', title: 'c', dependsOn: ['b'] },
      ]),
      'x.json',
    );
    expect(tasks[0]?.assignee).toBe('@bob, @al');
    expect([tasks[1]?.dependsOn, givenUp]).toEqual([['B'], [{ id: 'B', word: 'cancelled' }]]);
  });
});
