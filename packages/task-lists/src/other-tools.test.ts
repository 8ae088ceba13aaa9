import fc from 'fast-check';
import { CONVERT_FORMATS } from 'ralph-kit/convert-formats';
import { describe, expect, it } from 'vitest';
import {
  convertTasks,
  editTrackerText,
  joinFiles,
  parseTracker,
  setTrackerStatus,
  trackerReader,
} from './index.ts';
import type { TrackedStatus } from './task.ts';

async function read(text: string, path: string, tag = '') {
  const reader = await trackerReader(text, path, 'auto', { label: tag });
  const parsed = parseTracker(text, path, reader, []);
  if (!parsed.ok) throw new Error(parsed.message);
  const set = (id: string, status: TrackedStatus, now = text) => {
    const edited = setTrackerStatus(now, path, reader, [], id, status);
    if (!edited.ok) throw new Error(edited.message);
    return edited.text;
  };
  const short = parsed.tasks.map(({ id, status, dependsOn }) => [id, status, ...dependsOn].join(' '));
  return { ...parsed, short, messages: parsed.problems.map(({ message }) => message), set };
}

describe('what its own tool alone can do', () => {
  const backlog = joinFiles([
    { name: 'task-1.md', text: '---\nid: TASK-1\ntitle: a\nstatus: To Do\ndependencies: []\n---\n' },
    { name: 'task-2.md', text: '---\nid: TASK-2\ntitle: b\nstatus: To Do\ndependencies: [TASK-1]\n---\n' },
  ]);
  const beads = '{"id":"bd-1","title":"a","status":"open"}\n';
  const task = { title: "what's new", priority: null, dependsOn: ['TASK-1'], acceptance: ['it works'] };

  it.each([
    [
      'backlog/tasks',
      backlog,
      { kind: 'add', task } as const,
      `backlog task create 'what'\\''s new' --depends-on TASK-1 --ac 'it works'`,
    ],
    ['backlog/tasks', backlog, { kind: 'remove', taskId: 'TASK-1' } as const, 'backlog task archive TASK-1'],
    ['.beads/issues.jsonl', beads, { kind: 'add', task } as const, `bd create 'what'\\''s new'`],
    ['.beads/issues.jsonl', beads, { kind: 'remove', taskId: 'bd-1' } as const, 'bd delete bd-1'],
    ['issues.jsonl', beads, { kind: 'remove', taskId: 'bd-1' } as const, 'edit it by hand'],
  ])('is refused with the command: %s', async (path, text, edit, command) => {
    const reader = await trackerReader(text, path, 'auto');
    const { ok, ...rest } = editTrackerText(text, path, reader, [], edit);
    expect(ok).toBe(false);
    expect('message' in rest ? rest.message : '').toMatch(/^\S+ can't be edited \(.+\); /);
    expect('message' in rest && rest.message.endsWith(command), JSON.stringify(rest)).toBe(true);
  });
});

const KIRO = '.kiro/specs/a/tasks.md';

describe('Kiro', () => {
  const list = `# Implementation Plan

- [ ] 1. Set up
  - [x] 1.1 Make the folder
    - under \`src\`
    - _Requirements: 1.1, 1.2_
  - [-] 1.2 (P) Fill it
    - _Depends: 1.1_
  - [ ]* 1.3 Test it
- [~] 2. Alone
  - says more
- [ ]* 2.1 Test that
- [ ]* 3. Not at all
  - [ ] 3.1 Nor its parts
`;

  it('takes parts for tasks, their number for order, and passes over what is optional', async () => {
    const { short, tasks, messages, lineOf } = await read(list, KIRO);
    expect(short).toEqual(['1.1 done', '1.2 in_progress 1.1', '2 open']);
    expect(tasks[0]).toMatchObject({
      acceptance: ['under `src`'],
      notes: 'Requirements: 1.1, 1.2',
      group: 'Set up',
    });
    expect(tasks[1]?.title).toBe('Fill it');
    expect(lineOf('2', null)).toBe(10);
    expect(messages).toEqual([
      "4 check boxes aren't tasks (lines 9, 12, 13, 14): optional; take the star away to have one worked on",
    ]);
  });

  it('closes a group with the last of its tasks, and opens it with the first', async () => {
    const { set } = await read(list, KIRO);
    const done = set('1.2', 'done');
    expect(done).toBe(list.replace('[ ] 1. Set', '[x] 1. Set').replace('[-] 1.2', '[x] 1.2'));
    expect(set('1.1', 'open', done)).toBe(
      done.replace('[x] 1. Set', '[ ] 1. Set').replace('[x] 1.1', '[ ] 1.1'),
    );
    expect(set('2', 'blocked')).toContain('- [!] 2. Alone');
  });

  it('takes a number below which parts stand for a task of its own where it says more', async () => {
    const { short } = await read('- [ ] 1. Build\n  - a way\n\n- [ ] 1.1 Test\n  - another\n', KIRO);
    expect(short).toEqual(['1 open', '1.1 open']);
  });
});

describe('a mark below a task', () => {
  const list = '- [ ] 1.1 Build\n  - [!] one\n  - [-] other\n  - [x] done\n- [ ] 1.2 Test\n';

  it.each([
    ['of Kiro', KIRO, ['one', 'other', 'done'], []],
    ['of OpenSpec', 'openspec/changes/a/tasks.md', ['one', 'other', 'done'], []],
    ['of a plain list', 'PRD.md', ['done'], ['one ([!])', 'other ([-])']],
  ])('%s', async (_, path, acceptance, without) => {
    const { tasks } = await read(list, path);
    expect(tasks[0]).toMatchObject({ acceptance, without });
  });
});

describe('spec-kit', () => {
  const list = `# Tasks: x

## Phase 1: Setup

- [X] T001 Create the project
- [ ] T002 [P] Add \`x\` to the dependencies of it
- [ ] **Checkpoint**: it runs

### Checkpoint 1

- [ ] all is there

## Phase 2: User Story 1 (Priority: P1)

- [ ] T003 [P] [US1] Write it in src/a.py (depends on T001, T002)
- [ ] T004a [US1] Test it (depends on US1)
- [ ] Loose
- [ ] T003 Write it again
`;

  it('takes ids, dependencies and phases, and no checkpoint for a task', async () => {
    const { short, tasks, messages } = await read(list, 'specs/001-x/tasks.md');
    expect(short.map((one) => one.replace(/t-\w+/, 't-?'))).toEqual([
      'T001 done',
      'T002 open',
      'T003 open T001 T002',
      'T004a open',
      't-? open',
      't-? open',
    ]);
    expect(tasks[2]).toMatchObject({
      title: 'Write it in src/a.py (depends on T001, T002)',
      group: 'Phase 2: User Story 1 (Priority: P1)',
    });
    expect(messages).toEqual([
      "2 check boxes aren't tasks (lines 7, 11): without an id, where tasks have ids such as T001",
      expect.stringContaining('the id T003 is used by an earlier task (line 15)'),
    ]);
  });
});

describe('OpenSpec', () => {
  it('names numbers that are there twice, and reads groups and ranges of a dependency', async () => {
    const { short, messages } = await read(
      `## 1. One
- [x] 1.1 a
- [ ] 1.2 b
- [ ] 1.3 c
- [ ] 1.3 d
## 2. Two
- [ ] 2.1 e
  - Depends on: 1
- [ ] 2.2 f
  - Depends on: 1.1 – 1.3
- [ ] 2.3 g
  - Depends on: 2.x
- [ ] 2.4 h (depends on 2.1)
- [ ] 2.5 i
  - Files: \`a.ts\` (new), \`b.ts\` (changed)
  - Depends on: 2.1 to be there
`,
      'openspec/changes/a/tasks.md',
    );
    expect(short.map((one) => one.replace(/t-\w+/, 't-?'))).toEqual([
      '1.1 done',
      '1.2 open',
      '1.3 open',
      't-? open',
      '2.1 open 1.1 1.2 1.3',
      '2.2 open 1.1 1.2 1.3',
      '2.3 open 2.1 2.2 2.4 2.5',
      '2.4 open 2.1',
      '2.5 open 2.1',
    ]);
    expect(messages).toEqual([expect.stringContaining('the id 1.3 is used by an earlier task (line 4)')]);
  });
});

describe('other Markdown', () => {
  it.each([
    ['boxes without a bullet', 'PRD.md', '# x\n\n[x] a\n[ ] b\n\n[x] = done, [ ] = open\n', ['done', 'open']],
    [
      'features with a sign',
      'PRD.md',
      '# x\n\n### Feature 1: Log in ✅\n- [ ] works\n\n### Feature: Log out ⬜\n### ⬜ Feature 3 - Stay\n',
      ['done', 'open', 'open'],
    ],
    ['a file named in the singular', 'PRD.md', '- [ ] a\n  - File: `src/a.ts`\n', ['open']],
    [
      'a fence in a fence of Markdown',
      'PRD.md',
      '- [ ] a\n\n```markdown\n- [ ] no\n```js\n- [ ] nor\n```\n- [ ] nor this\n```\n\n- [ ] b\n',
      ['open', 'open'],
    ],
    [
      'a fence of Markdown that ends where CommonMark ends it',
      'PRD.md',
      '- [ ] a\n\n```markdown\n```js\n```\n\n- [ ] b\n',
      ['open', 'open'],
    ],
  ])('%s', async (_, path, text, statuses) => {
    const { tasks } = await read(text, path);
    expect(tasks.map(({ status }) => status)).toEqual(statuses);
  });

  it('takes no story for blocked because one criterion is left out', async () => {
    const list = '### US-001: a\n**Acceptance Criteria:**\n- [x] b\n- [-] c\n- [ ] d\n';
    const { short, set } = await read(list, 'PRD.md');
    expect(short).toEqual(['US-001 open']);
    const blocked = set('US-001', 'blocked');
    expect(blocked).toBe(list.replace(': a', ': a [-]'));
    expect(set('US-001', 'open', blocked)).toBe(list);
    expect(set('US-001', 'done', blocked)).toBe(list.replace('[-]', '[x]').replace('[ ]', '[x]'));
  });
});

const MASTER = {
  id: 1,
  title: 'One',
  description: 'Short.',
  details: 'Long.',
  testStrategy: 'Run it.',
  status: 'pending',
  priority: 'high',
  dependencies: [] as unknown[],
  subtasks: [
    { id: 1, title: 'Part', description: 'Of it.', status: 'done', dependencies: [] },
    { id: 2, title: 'Rest', status: 'pending', dependencies: [1] },
  ],
};
const two = { ...MASTER, id: 2, title: 'Two', status: 'deferred', dependencies: ['1.2'], subtasks: [] };
const gone = { ...two, id: 3, status: 'cancelled' };

describe('task-master', () => {
  const path = '.taskmaster/tasks/tasks.json';
  const list = JSON.stringify(
    { other: { tasks: [MASTER] }, master: { tasks: [MASTER, two, gone], metadata: {} } },
    null,
    2,
  );

  it('reads the tasks of a tag, with their parts as criteria', async () => {
    const { short, tasks, messages, format } = await read(list, path);
    expect(format).toBe('task-master');
    expect(short).toEqual(['1 open', '2 parked 1']);
    expect(tasks[0]).toMatchObject({
      description: 'Short.\n\nLong.',
      acceptance: ['Rest'],
      ticked: [],
      notes: 'Run it.',
      priority: 1,
    });
    expect(messages).toEqual([
      "other lists of this file aren't worked on: other (1 task); [tracker] label names the one to take",
      "1 task (3) given up by the list's own word aren't worked on",
    ]);
    expect((await read(list, path, 'other')).short).toEqual(['1 open']);
    await expect(read(list, path, 'none')).rejects.toThrow('has no tag "none" ([tracker] label)');
  });

  it('writes its own words, and closes the parts with their task', async () => {
    const { set } = await read(list, path);
    const at = list.indexOf('"master"');
    const [head, rest] = [list.slice(0, at), list.slice(at)];
    expect(set('1', 'done')).toBe(head + rest.replace('"pending"', '"done"').replace('"pending"', '"done"'));
    expect(set('1', 'in_progress')).toBe(
      head + rest.replace(/"pending"(?=,\n\s+"priority")/, '"in-progress"'),
    );
  });

  it.each([
    ['stories under prd', { prd: { stories: [{ id: 'A', title: 'a', passes: true }] } }, ['A done']],
    ['a list under prd', { prd: [{ id: 'A', title: 'a' }] }, ['A open']],
    [
      'complete',
      [
        { id: 'A', title: 'a', complete: true },
        { id: 'B', complete: false, title: 'b' },
      ],
      ['A done', 'B open'],
    ],
  ])('%s', async (_, value, expected) => {
    expect((await read(JSON.stringify(value), 'prd.json')).short).toEqual(expected);
  });

  it('takes no missing number for the place of another task', async () => {
    const { short } = await read(
      JSON.stringify([
        { id: 7, title: 'a' },
        { id: 8, title: 'b', dependencies: [1] },
      ]),
      'x.json',
    );
    expect(short).toEqual(['7 open', '8 open 1']);
  });
});

describe('beads', () => {
  const list = [
    { id: 'x-1', title: 'Epic', status: 'open', issue_type: 'epic', priority: 0 },
    {
      id: 'x-1.1',
      title: 'Part',
      status: 'open',
      dependencies: [
        { issue_id: 'x-1.1', depends_on_id: 'x-1', type: 'parent-child' },
        { issue_id: 'x-1.1', depends_on_id: 'x-2', type: 'blocks' },
        { issue_id: 'x-1.1', depends_on_id: 'x-9', type: 'discovered-from' },
      ],
      acceptance_criteria: '- one\n- two',
    },
    { id: 'x-2', title: 'First', status: 'hooked' },
    { id: 'x-3', title: 'Gone', status: 'tombstone' },
  ]
    .map((issue) => `${JSON.stringify(issue)}\n`)
    .join('');

  it('reads issues, what they wait for, and epics as what checks their children', async () => {
    const { short, tasks, messages } = await read(list, '.beads/issues.jsonl');
    expect(short).toEqual(['x-1 open x-1.1', 'x-1.1 open x-2', 'x-2 in_progress']);
    expect(tasks.map(({ kind }) => kind)).toEqual(['verify', 'build', 'build']);
    expect(tasks[1]?.acceptance).toEqual(['one', 'two']);
    expect(messages).toEqual([expect.stringContaining('(x-3) given up')]);
  });

  it('closes an issue in its own word, on its own line', async () => {
    const { set } = await read(list, '.beads/issues.jsonl');
    expect(set('x-2', 'done')).toBe(list.replace('"hooked"', '"closed"'));
  });

  it('names the line that is damaged', async () => {
    await expect(read(`${list}{"id":`, 'issues.jsonl')).rejects.toThrow('issues.jsonl, line 5,');
  });
});

describe('Backlog.md', () => {
  const file = (id: string, status: string, more = '') =>
    `---\nid: ${id}\ntitle: Task ${id}\nstatus: ${status}\nordinal: 1\n${more}---\n\n## Description\n\n<!-- SECTION -->\nSay it.\n- like this\n\n## Acceptance Criteria\n<!-- AC -->\n- [x] #1 it works\n- [ ] #2 well\n\n## Implementation Plan\n\n1. Do it\n`;
  const files = [
    { name: 'task-1.md', text: file('TASK-1', 'To Do', 'dependencies: [task-2, TASK-9]\npriority: high\n') },
    { name: 'task-2.md', text: file('TASK-2', 'In Progress').replaceAll('\n', '\r\n') },
    { name: 'readme.md', text: '# Tasks\n' },
    { name: '../completed/task-9.md', text: file('TASK-9', 'Done') },
  ];
  const list = joinFiles(files);

  it('reads a task from each file', async () => {
    const { short, tasks, messages, holdsBlocked } = await read(list, 'backlog/tasks');
    expect(short).toEqual(['TASK-1 open TASK-2', 'TASK-2 in_progress']);
    expect(tasks[0]).toMatchObject({
      description: 'Say it.\n- like this',
      acceptance: ['it works', 'well'],
      ticked: [0],
      notes: '## Implementation Plan\n1. Do it',
      priority: 1,
    });
    expect(holdsBlocked).toBe(false);
    expect(messages).toEqual([expect.stringContaining('readme.md')]);
  });

  it('marks the file of a task alone', async () => {
    const { set } = await read(list, 'backlog/tasks');
    expect(set('TASK-2', 'done')).toBe(list.replace('In Progress', 'Done'));
    expect(set('TASK-2', 'blocked')).toBe(list);
  });
});

/** Lists of a form with their marks taken out, to see that nothing else was changed. */
type Form = {
  readonly path: string;
  readonly write: (done: readonly boolean[], words: readonly string[]) => string;
  readonly marks: RegExp;
};
const lines = (done: readonly boolean[], line: (done: boolean, at: number) => string) =>
  done.map(line).join('\n');
const box = (done: boolean) => (done ? '[x]' : '[ ]');
const FORMS: Readonly<Record<string, Form>> = {
  kiro: {
    path: KIRO,
    write: (done, words) =>
      lines(done, (one, at) =>
        at % 3 === 0
          ? `- [ ] ${at + 1}. Group\n  - ${box(one)} ${at + 1}.1 ${words[at]}\n    - _Requirements: 1.${at}_`
          : `- ${box(one)} ${at + 1}. ${words[at]}\n  - text\n- [ ]* ${at + 1}.1 Tests`,
      ),
    marks: /\[[ x]\]/g,
  },
  'spec-kit': {
    path: 'specs/1/tasks.md',
    write: (done, words) =>
      `## Phase 1\n${lines(done, (one, at) => `- ${box(one)} T${String(at + 1).padStart(3, '0')} [P] [US1] ${words[at]}`)}\n## Checkpoint\n- [ ] all`,
    marks: /\[[ x]\]/g,
  },
  bare: {
    path: 'PRD.md',
    write: (done, words) => lines(done, (one, at) => `${box(one)} **T-${at}** ${words[at]}`),
    marks: /\[[ x]\]/g,
  },
  features: {
    path: 'PRD.md',
    write: (done, words) =>
      lines(done, (one, at) => `### Feature ${at + 1}: ${words[at]} ${one ? '✅' : '⬜'}\n- [ ] works\n`),
    marks: /[✅⬜]/gu,
  },
  'task-master': {
    path: 'tasks.json',
    write: (done, words) =>
      JSON.stringify(
        {
          master: {
            tasks: done.map((one, at) => ({
              ...{ id: at + 1, title: words[at], status: one ? 'done' : 'pending' },
              subtasks: [{ id: 1, title: 'part', status: one ? 'done' : 'pending' }],
            })),
          },
        },
        null,
        2,
      ),
    marks: /"(?:done|pending)"/g,
  },
  beads: {
    path: 'issues.jsonl',
    write: (done, words) =>
      lines(
        done,
        (one, at) =>
          `{ "id": "b-${at}", "status":"${one ? 'closed' : 'open'}", "title": ${JSON.stringify(words[at])}}`,
      ),
    marks: /"(?:closed|open)"/g,
  },
  backlog: {
    path: 'backlog/tasks',
    write: (done, words) =>
      joinFiles(
        done.map((one, at) => ({
          name: `task-${at}.md`,
          text: `---\nid: TASK-${at}\ntitle: ${JSON.stringify(words[at])}\nstatus: ${one ? 'Done' : 'To Do'}\n---\n\n## Description\n${words[at]}\n`,
        })),
      ),
    marks: /status: (?:Done|To Do)/g,
  },
};

describe.each(Object.entries(FORMS))('any list: %s', (name, { path, write, marks }) => {
  const list = fc
    .record({
      done: fc.array(fc.boolean(), { minLength: 1, maxLength: 25 }),
      words: fc.array(fc.constantFrom('Parse it', 'Größe 🟢', 'a `b` c', 'x: y'), {
        minLength: 25,
        maxLength: 25,
      }),
      crlf: fc.boolean(),
      bom: fc.boolean(),
    })
    .map(({ done, words, crlf, bom }) => {
      const text = write(done, words);
      // In the text of a folder of tasks, ralph itself writes the names of the files.
      const ended = crlf && name !== 'backlog' ? text.replaceAll('\n', '\r\n') : text;
      return { done, text: `${bom && name !== 'backlog' ? '\uFEFF' : ''}${ended}` };
    });

  it('twenty ticks one after the other change these marks alone', async () => {
    await fc.assert(
      fc.asyncProperty(list, async ({ done, text }) => {
        const before = await read(text, path);
        expect(before.tasks.map(({ status }) => status === 'done')).toEqual(done);
        let now = text;
        const left = before.tasks.filter(({ status }) => status !== 'done').slice(0, 20);
        for (const { id } of left) {
          const next = before.set(id, 'done', now);
          expect(next.replace(marks, '')).toBe(now.replace(marks, ''));
          now = next;
        }
        const ticked = new Set(left.map(({ id }) => id));
        const after = await read(now, path);
        // What a part says by its own mark is read as a tick of a criterion.
        const plain = (tasks: typeof after.tasks) => tasks.map((task) => ({ ...task, ticked: [] }));
        expect(plain(after.tasks)).toEqual(
          plain(before.tasks).map((task) => (ticked.has(task.id) ? { ...task, status: 'done' } : task)),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('conversion', () => {
  it.each(CONVERT_FORMATS)('to %s says what it loses, and nothing else', async (to) => {
    const { tasks, extras } = await read(
      `## Tasks
- [x] **T-1** One
  Say it.
  - [x] works
  - well
- [ ] **T-2** Two
  - Depends on: T-1
  - Priority: 2
- [ ] **T-3** Three
  Timeout: 20m
  Check: \`npm test\`
`,
      'PRD.md',
    );
    const { text, lost } = await convertTasks(tasks, to, extras());
    expect(lost).toEqual(
      to === 'task-master'
        ? ['ids are numbers there: T-1 is 1, T-2 is 2, T-3 is 3', 'timeout of T-3', 'checks of T-3']
        : [],
    );
    const again = await read(text, to === 'markdown' ? 'PRD.md' : to === 'yaml' ? 'x.yaml' : 'x.json');
    expect(again.tasks.map(({ title, status, acceptance }) => [title, status, acceptance])).toEqual(
      tasks.map(({ title, status, acceptance }) => [title, status, acceptance]),
    );
  });

  it('names what Markdown can not say', async () => {
    const { tasks, extras } = await read(
      JSON.stringify([{ id: 'a b', title: 't', status: 'parked', description: 'x\n- y', notes: ['1', '2'] }]),
      'x.json',
    );
    const { lost } = await convertTasks(tasks, 'markdown', extras());
    expect(lost.map((one) => one.split(' ')[0])).toEqual(['id', 'description', 'notes', 'status']);
  });
});

it.each([
  [
    'all boxes',
    '# Tasks\n\n* \\[x] **T-1** One\n* \\[ ] **T-2** Two\n',
    [],
    "2 check boxes aren't tasks (lines 3, 4)",
  ],
  [
    'some',
    '- [ ] **T-1** One\n- \\[ \\] **T-2** Two\n- \\[a\\] Three\n',
    ['T-1 open'],
    "1 check box isn't a task (line 2)",
  ],
])('says that %s are escaped', async (_, text, expected, message) => {
  const { short, messages } = await read(text, 'PRD.md');
  expect(short).toEqual(expected);
  expect(messages).toEqual([`${message}: escaped; take the backslash away to have one worked on`]);
});
