import { CONVERT_FORMATS, type ConvertFormat } from 'ralph-kit/convert-formats';
import { describe, expect, it } from 'vitest';
import { convertTasks, joinFiles, parseTracker, trackerReader } from './index.ts';
import type { Task } from './task.ts';

// Each form that is read × each field × each form that is written: the field reads the same again, or what is lost names it.

async function read(text: string, path: string) {
  const parsed = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

const FIELDS = [
  ...(['labels', 'assignee', 'owner', 'parent', 'state', 'dependency', 'part', 'description'] as const),
  ...(['criteria', 'priority'] as const),
];
type Field = (typeof FIELDS)[number];

/** What a field is in a task; `null`: no task has it, so that it is lost in every form. */
const IN_TASK: Readonly<Record<Field, ((task: Task) => unknown) | null>> = {
  labels: null,
  assignee: ({ assignee }) => assignee,
  owner: ({ owner }) => owner,
  parent: null,
  state: ({ status }) => status,
  dependency: ({ dependsOn }) => dependsOn.length,
  part: null,
  description: ({ description }) => description,
  criteria: ({ acceptance, ticked }) => acceptance.filter((_, at) => !ticked.includes(at)),
  priority: ({ priority }) => priority,
};

/** A list with the field, and what is said of it where it is lost; `none`: the form hasn't got it. */
type Case = readonly [list: string, says: string] | 'none';
/** The forms that can't say a field: of all lists, or of this one. */
type Lost = readonly ConvertFormat[];

const NO_STATE: Lost = ['markdown', 'task-master'];
const EVERYWHERE: Lost = CONVERT_FORMATS;

type Form = {
  readonly path: string;
  readonly cases: Readonly<Record<Field, Case>>;
  /** Fields of a task that this form loses, where that differs from `LOST`. */
  readonly lost?: Readonly<Partial<Record<Field, Lost>>>;
};

const LOST: Readonly<Record<Field, Lost>> = {
  labels: EVERYWHERE,
  assignee: ['markdown', 'task-master'],
  owner: ['task-master'],
  parent: EVERYWHERE,
  state: NO_STATE,
  dependency: [],
  part: EVERYWHERE,
  description: [],
  criteria: [],
  priority: [],
};

const file = (id: string, fields = '', body = '', status = 'To Do') => ({
  name: `${id.toLowerCase()}.md`,
  text: `---\nid: ${id}\ntitle: One\nstatus: ${status}\n${fields}---\n${body}`,
});
const backlog = (fields: string, body?: string, status?: string) =>
  joinFiles([file('TASK-1', fields, body, status), file('TASK-1.1'), file('TASK-2')]);

const PENDING = { status: 'pending', dependencies: [], subtasks: [] };
const part = { id: 1, title: 'b', status: 'pending' };
const taskMaster = (one: object) =>
  JSON.stringify({
    master: {
      tasks: [
        { ...PENDING, id: 1, title: 'One', ...one },
        { ...PENDING, id: 2, title: 'Two', subtasks: [part] },
      ],
    },
  });
const stories = (one: object) =>
  JSON.stringify({
    userStories: [
      { id: 'US-1', title: 'One', passes: false, ...one },
      { id: 'US-1.1', title: 'Two', passes: false },
    ],
  });
const yaml = (lines: string) =>
  `tasks:\n  - id: a\n    title: One\n${lines === '' ? '' : `    ${lines}\n`}  - id: a.1\n    title: Two\n`;
const beads = (one: object) =>
  [
    { id: 'x-1', title: 'One', status: 'open', ...one },
    { id: 'x-1.1', title: 'Two', status: 'open' },
  ]
    .map((issue) => JSON.stringify(issue))
    .join('\n');
const link = (type: string) => ({
  dependencies: [{ issue_id: 'x-1', depends_on_id: 'x-1.1', type }],
});
const checkList = (lines: string, mark = ' ') => `- [${mark}] T1 One\n${lines}- [ ] T2 Two\n`;
const headings = (lines: string) => `### Task 1: One\n\n${lines}\n- [ ] a\n\n### Task 2: Two\n\n- [ ] b\n`;

const FORMS: Readonly<Record<string, Form>> = {
  'Backlog.md': {
    path: 'backlog/tasks',
    cases: {
      labels: [backlog('labels: [ui]\n'), 'labels of TASK-1'],
      assignee: [backlog("assignee: ['@ada']\n"), 'assignee of TASK-1'],
      owner: 'none',
      parent: [backlog('parent_task_id: TASK-2\n'), 'parent_task_id of TASK-1'],
      state: [backlog('', '', 'QA'), 'status "QA" of TASK-1'],
      dependency: [backlog('dependencies: [TASK-1.1]\n'), 'dependencies of TASK-1'],
      part: 'none',
      description: [backlog('', '\n## Description\n\nwords\n'), 'description of TASK-1'],
      criteria: [backlog('', '\n## Acceptance Criteria\n- [ ] #1 a\n- [x] #2 b\n'), 'acceptance of TASK-1'],
      priority: [backlog('priority: low\n'), 'priority of TASK-1'],
    },
  },
  'task-master': {
    path: 'tasks.json',
    cases: {
      labels: [taskMaster({ labels: ['ui'] }), 'labels of 1'],
      assignee: [taskMaster({ assignee: 'ada' }), 'assignee of 1'],
      owner: [taskMaster({ owner: 'ada' }), 'owner of 1'],
      parent: [taskMaster({ parentId: 2 }), 'parentId of 1'],
      state: [taskMaster({ status: 'review' }), 'status "review" of 1'],
      dependency: [taskMaster({ dependencies: [2] }), 'dependencies of 1'],
      part: [taskMaster({ dependencies: ['2.1'] }), 'dependency 2.1 of 1'],
      description: [taskMaster({ description: 'words' }), 'description of 1'],
      criteria: [taskMaster({ subtasks: [{ id: 1, title: 'a', status: 'pending' }] }), 'acceptance of 1'],
      priority: [taskMaster({ priority: 'low' }), 'priority of 1'],
    },
    // The form keeps its own word for the status.
    lost: { state: ['markdown'] },
  },
  'user stories': {
    path: 'prd.json',
    cases: {
      labels: [stories({ labels: ['ui'] }), 'labels of US-1'],
      assignee: [stories({ assignee: 'ada' }), 'assignee of US-1'],
      owner: [stories({ owner: 'ada' }), 'owner of US-1'],
      parent: [stories({ parent: 'US-1.1' }), 'parent of US-1'],
      state: [stories({ status: 'QA' }), 'status "QA" of US-1'],
      dependency: [stories({ dependsOn: ['US-1.1'] }), 'dependencies of US-1'],
      part: [stories({ dependsOn: ['US-1.1.4'] }), 'dependency US-1.1.4 of US-1'],
      description: [stories({ description: 'words' }), 'description of US-1'],
      criteria: [stories({ acceptanceCriteria: ['a', 'b'] }), 'acceptance of US-1'],
      priority: [stories({ priority: 3 }), 'priority of US-1'],
    },
  },
  YAML: {
    path: 'tasks.yaml',
    cases: {
      labels: [yaml('labels: [ui]'), 'labels of a'],
      assignee: [yaml('assignee: ada'), 'assignee of a'],
      owner: [yaml('owner: ada'), 'owner of a'],
      parent: [yaml('parent: a.1'), 'parent of a'],
      state: [yaml('status: QA'), 'status "QA" of a'],
      dependency: [yaml('depends_on: [a.1]'), 'dependencies of a'],
      part: [yaml('depends_on: [a.1.4]'), 'dependency a.1.4 of a'],
      description: [yaml('description: words'), 'description of a'],
      criteria: [yaml('criteria: [one, two]'), 'acceptance of a'],
      priority: [yaml('priority: low'), 'priority of a'],
    },
  },
  beads: {
    path: '.beads/issues.jsonl',
    cases: {
      labels: [beads({ labels: ['ui'] }), 'labels of x-1'],
      assignee: [beads({ assignee: 'ada' }), 'assignee of x-1'],
      owner: [beads({ owner: 'ada' }), 'issue owner of x-1'],
      parent: [beads(link('parent-child')), 'dependencies.parent-child of x-1'],
      state: [beads({ status: 'pinned' }), 'status "pinned" of x-1'],
      dependency: [beads(link('blocks')), 'dependencies of x-1'],
      part: 'none',
      description: [beads({ description: 'words' }), 'description of x-1'],
      criteria: [beads({ acceptance_criteria: '- a\n- b' }), 'acceptance of x-1'],
      priority: [beads({ priority: 3 }), 'priority of x-1'],
    },
    // In this form, an owner is the one whom the task is credited to.
    lost: { owner: EVERYWHERE },
  },
  'a check list': {
    path: 'PRD.md',
    cases: {
      labels: 'none',
      assignee: 'none',
      owner: [checkList('  Owner: ada\n'), 'owner of T1'],
      parent: ['- [ ] 1.1 One\n  - [ ] 1.1.1 Two\n', 'the box of 1.1 (its title stays, as a group)'],
      state: [checkList('', '~'), 'status "in progress" of T1'],
      dependency: [checkList('  Depends on: T2\n'), 'dependencies of T1'],
      part: [checkList('  Depends on: T2.1\n'), 'dependency T2.1 of T1'],
      description: [checkList('  Some words\n'), 'description of T1'],
      criteria: [checkList('  - [ ] a\n  - [x] b\n'), 'acceptance of T1'],
      priority: [checkList('  Priority: 3\n'), 'priority of T1'],
    },
    lost: { state: [] },
  },
  headings: {
    path: 'docs/plans/a.md',
    cases: {
      ...{ labels: 'none', assignee: 'none', parent: 'none', state: 'none', part: 'none' },
      owner: [headings('Owner: ada\n'), 'owner of 1'],
      dependency: [headings('Depends on: 2\n'), 'dependencies of 1'],
      description: [headings('Some words\n'), 'description of 1'],
      criteria: [headings('- [x] c\n'), 'acceptance of 1'],
      priority: [headings('Priority: 3\n'), 'priority of 1'],
    },
  },
};

const ROWS = Object.entries(FORMS).flatMap(([form, { path, cases, lost }]) =>
  FIELDS.flatMap((field) => {
    const one = cases[field];
    return one === 'none' ? [] : [{ form, path, field, one, lost: lost?.[field] ?? LOST[field] }];
  }),
);

const PATHS = { markdown: 'PRD.md', json: 'prd.json', yaml: 'x.yaml', 'task-master': 'x.json' } as const;
/** Matches what is said of every list of task-master. */
const OF_ALL = /^(?:ids are numbers there|group of)/;

describe.each(ROWS)('$field of $form', ({ path, field, one: [text, says], lost }) => {
  it.each(CONVERT_FORMATS)('as %s', async (to) => {
    const list = await read(text, path);
    const converted = await convertTasks(list.tasks, to, list.extras());
    const said = converted.lost.filter((line) => !OF_ALL.test(line));
    expect(said.map((line) => line.replace(/: "[^"]*" there$/, ''))).toEqual(lost.includes(to) ? [says] : []);
    const inTask = IN_TASK[field];
    if (inTask === null || lost.includes(to)) return;
    const again = await read(converted.text, PATHS[to]);
    expect(again.tasks.map(inTask)).toEqual(list.tasks.map(inTask));
    // The list has the value; otherwise the check would show nothing.
    expect(list.tasks.map(inTask)[0]).not.toEqual(list.tasks.map(inTask)[1]);
  });
});
