import { CONVERT_FORMATS, type ConvertFormat } from 'ralph-kit/convert-formats';
import { describe, expect, it } from 'vitest';
import { convertTasks, joinFiles, parseTracker, trackerReader } from './index.ts';

async function read(text: string, path: string) {
  const parsed = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

/** A value of the field that is lost under this name, where it is. */
const said = (name: string) => `zq${name.replaceAll(' ', '.')}`;

/** Returns the names of those values that a text has. */
const saidIn = (text: string) =>
  new Set([...text.matchAll(/zq([\w.]*\w)/g)].map(([, name = '']) => name.replaceAll('.', ' ')));

type Source = {
  readonly from: string;
  readonly path: string;
  readonly text: string;
  /** Values that no form can have. */
  readonly extras: readonly string[];
  /** Values that only this form can't have, besides. */
  readonly more: Readonly<Partial<Record<ConvertFormat, readonly string[]>>>;
};

const BACKLOG = joinFiles([
  {
    name: 'task-1 - One.md',
    text: `---
id: TASK-1
title: 'First: one'
status: To Do
assignee:
  - '@${said('assignee')}'
reporter: '@${said('reporter')}'
created_date: '2026-11-29 22:35'
labels:
  - ${said('labels')}
  - ui
milestone: ${said('group')}
dependencies: []
references:
  - ${said('references')}
priority: high
ordinal: 1000
type: ${said('type')}
due_date: '2026-12-24'
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
${said('description')}
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 ${said('criterion')}
- [x] #2 c
<!-- AC:END -->

## Implementation Plan

<!-- SECTION:PLAN:BEGIN -->
1. ${said('plan')}
<!-- SECTION:PLAN:END -->
`,
  },
  {
    name: 'task-1.1 - Child.md',
    text: `---
id: TASK-1.1
title: Child
status: Review
assignee: []
labels: []
dependencies:
  - TASK-1
parent_task_id: TASK-1
---
`,
  },
]);

const TASK_MASTER = JSON.stringify({
  master: {
    tasks: [
      {
        ...{ id: 1, title: 'One', description: said('description'), details: said('details') },
        ...{ testStrategy: said('strategy'), status: 'review', dependencies: [], priority: 'high' },
        ...{ updatedAt: said('updatedAt'), relevantFiles: [{ path: said('relevantFiles') }] },
        subtasks: [
          {
            ...{
              id: 1,
              title: said('subtasks that are done'),
              status: 'done',
              dependencies: [],
              priority: 'low',
            },
            ...{ description: said('subtasks.description'), assignee: said('subtasks.assignee') },
          },
          { id: 2, title: 'second', status: 'blocked', dependencies: [1] },
        ],
      },
      { id: 2, title: 'Two', status: 'pending', dependencies: ['1.2'], subtasks: [] },
      { id: 3, title: 'Three', status: 'deferred', dependencies: [1], subtasks: [] },
    ],
    metadata: { created: '2026', description: said('metadata') },
  },
});

const SOURCES: readonly Source[] = [
  {
    from: 'Backlog.md',
    path: 'backlog/tasks',
    text: BACKLOG,
    extras: [
      'reporter of TASK-1',
      'created_date of TASK-1',
      'labels of TASK-1',
      'ordinal of TASK-1',
      'type of TASK-1',
      'due_date of TASK-1',
      'parent_task_id of TASK-1.1',
    ],
    more: {
      markdown: [
        'assignee of TASK-1',
        'notes of TASK-1',
        'group of TASK-1.1',
        'status "Review" of TASK-1.1: "blocked" there',
      ],
      'task-master': [
        'ids are numbers there: TASK-1 is 1, TASK-1.1 is 2',
        'assignee of TASK-1',
        'group of TASK-1',
        'status "Review" of TASK-1.1: "deferred" there',
      ],
    },
  },
  {
    from: 'task-master',
    path: 'tasks.json',
    text: TASK_MASTER,
    extras: [
      'metadata',
      'updatedAt of 1',
      'relevantFiles of 1',
      'subtasks.priority of 1',
      'subtasks that are done or left alone of 1',
      'subtasks.description of 1',
      'subtasks.assignee of 1',
      'subtasks.dependencies of 1',
      'subtasks.status blocked of 1',
      'dependency 1.2 of 2',
    ],
    more: {
      markdown: [
        'description of 1',
        'status "review" of 1: "blocked" there',
        'status "deferred" of 3: "blocked" there',
      ],
    },
  },
  {
    from: 'user stories',
    path: 'prd.json',
    text: JSON.stringify({
      ...{ name: said('name'), branchName: said('branchName'), description: said('description') },
      userStories: [
        {
          ...{ id: 'US-001', title: 'One', description: 'd', acceptanceCriteria: [said('criterion')] },
          ...{ priority: 1, passes: false, labels: [said('labels')], dependsOn: [] },
          ...{ steps: [said('steps')], notes: '', completionNotes: said('completionNotes') },
        },
      ],
      metadata: { updatedAt: said('metadata') },
    }),
    extras: [
      'name',
      'branchName',
      'description',
      'metadata',
      'labels of US-001',
      'steps of US-001',
      'completionNotes of US-001',
    ],
    more: { 'task-master': ['ids are numbers there: US-001 is 1'] },
  },
  {
    from: 'YAML',
    path: 'tasks.yaml',
    text: `project: ${said('project')}
tasks:
  - id: t-one
    title: One
    completed: true
    parallel_group: 2
  - id: t-two
    title: Two
    status: on hold
    criteria:
      - text: works
        owner: ${said('criteria.owner')}
`,
    extras: ['project', 'parallel_group of t-one', 'criteria.owner of t-two'],
    more: {
      markdown: ['status "on hold" of t-two: "blocked" there'],
      'task-master': [
        'ids are numbers there: t-one is 1, t-two is 2',
        'status "on hold" of t-two: "deferred" there',
      ],
    },
  },
  {
    from: 'beads',
    path: '.beads/issues.jsonl',
    text: [
      {
        ...{ id: 'x-1', title: 'Epic', issue_type: 'epic', status: 'open', priority: 2 },
        ...{ labels: [said('labels')], created_at: '2026-11-28T00:00:00Z', comment_count: 0 },
      },
      {
        ...{ id: 'x-2', title: 'Two', issue_type: 'task', status: 'pinned', priority: 1 },
        ...{ assignee: said('assignee'), estimated_minutes: 30, external_ref: said('external_ref') },
        dependencies: [
          { issue_id: 'x-2', depends_on_id: 'x-1', type: 'parent-child' },
          { issue_id: 'x-2', depends_on_id: 'x-9', type: 'related' },
        ],
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
    extras: [
      'issue_type of x-1, x-2',
      'labels of x-1',
      'created_at of x-1',
      'estimated_minutes of x-2',
      'external_ref of x-2',
      'dependencies.parent-child of x-2',
      'dependencies.related of x-2',
    ],
    more: {
      markdown: ['assignee of x-2', 'status "pinned" of x-2: "blocked" there'],
      'task-master': [
        'ids are numbers there: x-1 is 1, x-2 is 2',
        'assignee of x-2',
        'kind of x-1',
        'status "pinned" of x-2: "deferred" there',
      ],
    },
  },
  {
    from: 'a check list',
    path: 'openspec/changes/c/tasks.md',
    text: `---
owner: ${said('the front matter')}
---
# All of ${said('the text around the tasks')}

${said('the text around the tasks')}

## 1. Group

- [ ] 1.1 [P] One
  - [~] ${said('criterion')}
- [ ] 1.2 Two
- [ ] 1.2.1 Part
`,
    extras: [
      'the front matter',
      'the text around the tasks (2 lines)',
      'criteria that are neither open nor done of 1.1',
      '[P] of 1.1',
    ],
    more: {
      'task-master': ['ids are numbers there: 1.1 is 1, 1.2 is 2, 1.2.1 is 3', 'group of 1.1, 1.2, 1.2.1'],
    },
  },
  {
    from: 'headings',
    path: 'docs/plans/a.md',
    text: `# Plan

${said('the text around the tasks')}

### Task 1: One

#### Steps of ${said('headings below the task')}

- [x] **Step 1** ${said('step')}
- [ ] **Step 2** b
`,
    extras: ['the text around the tasks (2 lines)', 'headings below the task of 1'],
    more: {},
  },
];

describe.each(SOURCES)('a list of $from', ({ path, text, extras, more }) => {
  it.each(CONVERT_FORMATS)('as %s: what that can not say is named', async (to) => {
    const list = await read(text, path);
    const { text: converted, lost } = await convertTasks(list.tasks, to, list.extras());
    expect(lost.toSorted()).toEqual([...extras, ...(more[to] ?? [])].toSorted());
    // Each value is in the other list, or its field is named as lost.
    const there = saidIn(converted);
    const missing = [...saidIn(text)].filter((name) => !there.has(name));
    const names = lost.map((one) => one.replaceAll('.', ' '));
    expect(missing.filter((name) => !names.some((one) => one.startsWith(name)))).toEqual([]);
  });
});

describe('a status', () => {
  it.each([
    ['json', 'review'],
    ['yaml', 'review'],
    ['task-master', 'review'],
  ] as const)('keeps its word in %s', async (to, word) => {
    const list = await read(TASK_MASTER, 'tasks.json');
    const { text } = await convertTasks(list.tasks, to, list.extras());
    const again = await read(text, to === 'yaml' ? 'x.yaml' : 'x.json');
    expect(again.extras().words.get('1')).toBe(word);
  });

  it('that ralph gave a task since counts, and not the word in the list', async () => {
    const list = await read(TASK_MASTER, 'tasks.json');
    const tasks = list.tasks.map((task) => ({ ...task, status: 'done' as const }));
    const { text, lost } = await convertTasks(tasks, 'json', list.extras());
    expect((await read(text, 'x.json')).tasks.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(lost.join('\n')).not.toContain('status "');
  });

  it('is said by a mark that no run begins with, where it waits', async () => {
    const list = await read(TASK_MASTER, 'tasks.json');
    const { text } = await convertTasks(list.tasks, 'markdown', list.extras());
    expect(text).toContain('- [-] Three\n  ID: 3\n');
  });
});
