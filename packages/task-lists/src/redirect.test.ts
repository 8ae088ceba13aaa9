import { describe, expect, it } from 'vitest';
import { editTrackerText, parseTracker, trackerReader } from './index.ts';

/** The text without T-2. */
async function without(path: string, text: string): Promise<string> {
  const reader = await trackerReader(text, path, 'auto');
  const edited = editTrackerText(text, path, reader, [], { kind: 'remove', taskId: 'T-2' });
  return edited.ok ? edited.text : edited.message;
}

const json = (depends: string) =>
  `{"tasks": [\n  {"id": "T-1", "title": "a"},\n  {"id": "T-3", "title": "c"${depends}}\n]}\n`;
const withTwo = (text: string) =>
  text.replace('\n  {"id": "T-3"', '\n  {"id": "T-2", "title": "b"},\n  {"id": "T-3"');
const list = (depends: string) => `- [ ] T-1: a\n- [ ] T-3: c\n${depends}  - [ ] T-2 is named in prose\n`;
const listWithTwo = (text: string) => text.replace('- [ ] T-3', '- [ ] T-2: b\n- [ ] T-3');
const yaml = (depends: string) => `tasks:\n  - id: T-1\n    title: a\n  - id: T-3\n    title: c\n${depends}`;
const yamlWithTwo = (text: string) => text.replace('  - id: T-3', '  - id: T-2\n    title: b\n  - id: T-3');

describe('a removed task takes the dependencies on it along', () => {
  it.each([
    ['the only one, with its line', 'PRD.md', listWithTwo(list('  Depends on: T-2\n')), list('')],
    ['the only one, in bold', 'PRD.md', listWithTwo(list('  - **Depends on:** T-2\n')), list('')],
    ['the first', 'PRD.md', listWithTwo(list('  Depends on: T-2, T-1\n')), list('  Depends on: T-1\n')],
    ['the last', 'PRD.md', listWithTwo(list('  Depends on: T-1 and T-2\n')), list('  Depends on: T-1\n')],
    [
      'with Windows lines',
      'PRD.md',
      listWithTwo(list('  Depends on: T-2\n')).replaceAll('\n', '\r\n'),
      list('').replaceAll('\n', '\r\n'),
    ],
    ['the only one of JSON', 'prd.json', withTwo(json(', "dependsOn": ["T-2"]')), json(', "dependsOn": []')],
    [
      'one of several of JSON',
      'prd.json',
      withTwo(json(', "dependsOn": ["T-1", "T-2"]')),
      json(', "dependsOn": ["T-1"]'),
    ],
    [
      'the last of JSON over several lines',
      'prd.json',
      withTwo(json(', "dependsOn": [\n    "T-1",\n    "T-2"\n  ]')),
      json(', "dependsOn": [\n    "T-1"\n  ]'),
    ],
    ['one of two', 'PRD.md', listWithTwo(list('  Depends on: T-2, T-1, T-2\n')), list('  Depends on: T-1\n')],
    [
      'on two lines',
      'PRD.md',
      listWithTwo(list('  Depends on: T-2\n  Blocked by: T-1, T-2\n')),
      list('  Blocked by: T-1\n'),
    ],
    [
      'one that is a link',
      'PRD.md',
      listWithTwo(list('  Depends on: [T-2](#t-2), **T-1**\n')),
      list('  Depends on: **T-1**\n'),
    ],
    [
      'a box',
      'PRD.md',
      listWithTwo(list('  - Depends on:\n    - [ ] T-1\n    - [x] T-2\n')),
      list('  - Depends on:\n    - [ ] T-1\n'),
    ],
    ['a numbered item', 'PRD.md', listWithTwo(list('  - Depends on:\n    1. T-2\n')), list('')],
    [
      'the last after a comma and a word',
      'PRD.md',
      listWithTwo(list('  Depends on: T-1, and T-2\n')),
      list('  Depends on: T-1\n'),
    ],
    ...['T-1 + T-2', 'T-2 + T-1', 'T-2/T-1', 'T-1/T-2', 'T-1 & T-2', 'T-2 -> T-1', 'T-1, then T-2'].map(
      (both): [string, string, string, string] => [
        both,
        'PRD.md',
        listWithTwo(list(`  Depends on: ${both}\n`)),
        list('  Depends on: T-1\n'),
      ],
    ),
    [
      'one with words and a comma in brackets',
      'PRD.md',
      listWithTwo(list('  Depends on: T-2 (the parser, in C), T-1\n')),
      list('  Depends on: T-1\n'),
    ],
    ['one in bold', 'PRD.md', listWithTwo(list('  Depends on: **`T-2`**\n')), list('')],
    ['one in a line in italics', 'PRD.md', listWithTwo(list('  - _Depends on: T-2_\n')), list('')],
    [
      'the last of a line in italics',
      'PRD.md',
      listWithTwo(list('  - _Depends on: T-1, T-2_\n')),
      list('  - _Depends on: T-1_\n'),
    ],
    [
      'the last before a comment',
      'PRD.md',
      listWithTwo(list('  Depends on: T-1, T-2 <!-- why -->\n')),
      list('  Depends on: T-1 <!-- why -->\n'),
    ],
    [
      'the first of JSON over several lines',
      'prd.json',
      withTwo(json(', "dependsOn": [\n    "T-2",\n    "T-1"\n  ]')),
      json(', "dependsOn": [\n    "T-1"\n  ]'),
    ],
    [
      'one of several of YAML',
      'tasks.yaml',
      yamlWithTwo(yaml('    depends_on: [T-2, T-1]\n')),
      yaml('    depends_on: [T-1]\n'),
    ],
    [
      'an item of YAML',
      'tasks.yaml',
      yamlWithTwo(yaml('    depends_on:\n      - T-2\n      - T-1\n')),
      yaml('    depends_on:\n      - T-1\n'),
    ],
  ])('%s', async (_, path, before, after) => {
    expect(await without(path, before)).toBe(after);
  });

  it.each([
    ['[1, "3", "3.1"]', '[1]'],
    ['["3.1"]', '[]'],
    ['["3.1", 1, 3, "2.1"]', '[1, "2.1"]'],
    ['[\n  1,\n  "3"\n]', '[\n  1\n]'],
    ['["1", "13", "3x", "2.3"]', '["1", "13", "3x", "2.3"]'],
  ])('of subtasks in a list of task-master: %s', async (depends, kept) => {
    const master = (list: string, third = '') =>
      `{"master": {"tasks": [{"id": 1, "title": "a"}, {"id": 2, "title": "b", "subtasks": [{"id": 1, "title": "c", "dependencies": ${list}}]}${third}]}}`;
    const before = master(depends, ', {"id": 3, "title": "d"}');
    expect(await removed('tasks.json', before, '3')).toEqual({ text: master(kept), remarks: [] });
  });

  it('but not of a subtask whose sibling has the number', async () => {
    const master = (end: string) =>
      `{"master": {"tasks": [{"id": 1, "title": "a", "subtasks": [{"id": 1, "title": "b"}, {"id": "2", "title": "c"}, {"id": 3, "title": "d", "dependencies": [1, "2"]}]}${end}]}}`;
    const before = master(', {"id": 2, "title": "e"}');
    expect(await removed('tasks.json', before, '2')).toEqual({ text: master(''), remarks: [] });
  });

  it('in the words of issues, and a byte order mark stays', async () => {
    const before = '\uFEFF- [ ] #1 a\n- [ ] #3 c\n  Depends on #1\n';
    expect(await removed('PRD.md', before, '#1')).toEqual({ text: '\uFEFF- [ ] #3 c\n', remarks: [] });
  });

  it('of all tasks that wait for it', async () => {
    const before = '- [ ] T-1: a\n  Depends on: T-2\n- [ ] T-2: b\n- [ ] T-3: c\n  Depends on: T-2\n';
    expect(await without('PRD.md', before)).toBe('- [ ] T-1: a\n- [ ] T-3: c\n');
  });
});

/** The text without a task, and what is said of it. */
async function removed(path: string, text: string, taskId: string) {
  const reader = await trackerReader(text, path, 'auto');
  const edited = editTrackerText(text, path, reader, [], { kind: 'remove', taskId });
  return edited.ok
    ? { text: edited.text, remarks: edited.remarks.map(({ text: one }) => one) }
    : { message: edited.message };
}

describe('a title that names the removed task', () => {
  const before = '- [ ] T-2: b\n- [ ] T-3: c (depends on T-2)\n- [ ] T-4: d\n  Depends on: T-3\n';

  it('stays, and is named with its place and the command that changes it', async () => {
    expect(await removed('PRD.md', before, 'T-2')).toEqual({
      text: before.replace('- [ ] T-2: b\n', ''),
      remarks: [
        'PRD.md: the title of T-3 still names T-2 ("c (depends on T-2)"). To change it: ralph tasks edit T-3 --title "…"',
      ],
    });
  });

  it('is changed by that command, and so is what the task depends on', async () => {
    const reader = await trackerReader(before, 'PRD.md', 'auto');
    const retitle = { kind: 'retitle', taskId: 'T-3', title: 'c' } as const;
    expect(editTrackerText(before, 'PRD.md', reader, [], retitle)).toMatchObject({
      ok: true,
      text: before.replace(' (depends on T-2)', ''),
    });
    const other = '- [ ] T-2: b\n- [ ] T-3: c\n  Depends on: T-2\n';
    const edited = editTrackerText(other, 'PRD.md', reader, [], { ...retitle, title: 'd' });
    expect(edited).toMatchObject({ ok: true, text: other.replace('T-3: c', 'T-3: d') });
  });
});

describe('a dependency that stays', () => {
  it('leaves none of the others in', async () => {
    const stuck = '  {"id": "T-3", "title": "c", "dependsOn": ["T\\u002d2"]},\n';
    const text = (depends: string) =>
      `{"tasks": [\n  {"id": "T-1", "title": "a"${depends}},\n${stuck}  {"id": "T-4", "title": "d"${depends}}\n]}\n`;
    const before = text(', "dependsOn": ["T-2"]').replace(stuck, `  {"id": "T-2", "title": "b"},\n${stuck}`);
    const after = { text: text(', "dependsOn": []'), remarks: [] };
    expect(await removed('prd.json', before, 'T-2')).toEqual(after);
  });
});

describe('a number that names a task by its place', () => {
  it.each([
    [
      'follows its task',
      'PRD.md',
      '- [ ] Parse\n- [ ] Print\n- [ ] Mail\n  Depends on: 2\n- [ ] Send\n  Depends on: 3, #2, 1\n',
      'Parse',
      '- [ ] Print\n- [ ] Mail\n  Depends on: 1\n- [ ] Send\n  Depends on: 2, #1\n',
    ],
    [
      'beside ids',
      'PRD.md',
      '- [ ] A-1: a\n- [ ] A-2: b\n- [ ] A-3: c\n  Depends on: 2\n',
      'A-1',
      '- [ ] A-2: b\n- [ ] A-3: c\n  Depends on: 1\n',
    ],
    [
      'stays as it is before the removed task',
      'PRD.md',
      '- [ ] A-1: a\n- [ ] A-2: b\n- [ ] A-3: c\n  Depends on: 1\n',
      'A-2',
      '- [ ] A-1: a\n- [ ] A-3: c\n  Depends on: 1\n',
    ],
    [
      'that is an id is no place',
      'PRD.md',
      '- [ ] 1. a\n- [ ] 2. b\n- [ ] 3. c\n  Depends on: 2\n',
      '1',
      '- [ ] 2. b\n- [ ] 3. c\n  Depends on: 2\n',
    ],
    [
      'in JSON',
      'prd.json',
      '[\n  { "title": "Parse" },\n  { "title": "Print" },\n  { "title": "Mail", "dependsOn": [2, 1] }\n]\n',
      'Parse',
      '[\n  { "title": "Print" },\n  { "title": "Mail", "dependsOn": [1] }\n]\n',
    ],
    [
      'in YAML',
      'tasks.yaml',
      'tasks:\n  - title: Parse\n  - title: Print\n  - title: Mail\n    depends_on:\n      - 1\n      - 2\n',
      'Parse',
      'tasks:\n  - title: Print\n  - title: Mail\n    depends_on:\n      - 1\n',
    ],
    [
      'of a range ends at the task before',
      'PRD.md',
      '- [ ] T001 a\n- [ ] T002 b\n- [ ] T003 c\n- [ ] T004 d\n  Depends on: T001-T003\n',
      'T003',
      '- [ ] T001 a\n- [ ] T002 b\n- [ ] T004 d\n  Depends on: T001, T002\n',
    ],
  ])('%s', async (_, path, before, name, after) => {
    const reader = await trackerReader(before, path, 'auto');
    const parsed = parseTracker(before, path, reader, []);
    const task = parsed.ok ? parsed.tasks.find(({ id, title }) => id === name || title === name) : undefined;
    expect(await removed(path, before, task?.id ?? '')).toEqual({ text: after, remarks: [] });
  });

  it('that can not be rewritten keeps the task in, and says where', async () => {
    const path = 'tasks.yaml';
    const before =
      'tasks:\n  - title: Parse\n  - title: Print\n  - title: Mail\n    depends_on: &two [2]\n  - title: Send\n    depends_on: *two\n';
    const reader = await trackerReader(before, path, 'auto');
    const parsed = parseTracker(before, path, reader, []);
    const [first] = parsed.ok ? parsed.tasks : [];
    expect(await removed(path, before, first?.id ?? '')).toMatchObject({
      message: expect.stringMatching(/^tasks\.yaml, line 5: .*Nothing was changed$/),
    });
  });
});

describe('what stands beside a removed dependency', () => {
  const md = (depends: string) => `- [ ] T-1: a\n- [ ] T-2: b\n- [ ] T-3: c\n${depends}`;
  const yml = (depends: string) =>
    `tasks:\n  - id: T-1\n    title: a\n  - id: T-2\n    title: b\n  - id: T-3\n    title: c\n${depends}`;

  it.each([
    ['a comment', 'PRD.md', md('  Depends on: T-2 <!-- why -->\n'), md('  <!-- why -->\n'), null],
    [
      'a comment of an item',
      'tasks.yaml',
      yml('    depends_on:\n      - T-2 # why\n      - T-1\n'),
      yml('    depends_on:\n      # why\n      - T-1\n'),
      null,
    ],
    [
      'a comment of a list in brackets',
      'tasks.yaml',
      yml('    depends_on: [T-2] # why\n'),
      yml('    depends_on: [] # why\n'),
      null,
    ],
    [
      'a comment of a single value',
      'tasks.yaml',
      yml('    depends_on: T-2 # why\n'),
      yml('    # why\n'),
      null,
    ],
    ['words', 'PRD.md', md('  Depends on: T-2 (the parser)\n'), md(''), '(the parser)'],
    [
      'words among others',
      'PRD.md',
      md('  Depends on: T-1 (dates), T-2 (the parser)\n'),
      md('  Depends on: T-1 (dates)\n'),
      '(the parser)',
    ],
    [
      'words of the first',
      'PRD.md',
      md('  Depends on: T-2 (the parser) and T-1\n'),
      md('  Depends on: T-1\n'),
      '(the parser)',
    ],
    ['a sentence', 'PRD.md', md('  Depends on: T-2 because of dates\n'), md(''), 'because of dates'],
    [
      'a label over the only item',
      'PRD.md',
      md('  - **Depends on:**\n    - T-2\n  - [ ] it works\n'),
      md('  - [ ] it works\n'),
      null,
    ],
    [
      'a key over the only item',
      'tasks.yaml',
      yml('    depends_on:\n      - T-2\n    priority: 1\n'),
      yml('    priority: 1\n'),
      null,
    ],
    ['a text', 'prd.json', withTwo(json(', "dependsOn": "T-2"')), withTwo(json(', "dependsOn": ""')), null],
  ])('%s: kept, or named', async (_, path, before, after, words) => {
    const without = after
      .replace('- [ ] T-2: b\n', '')
      .replace('  - id: T-2\n    title: b\n', '')
      .replace('  {"id": "T-2", "title": "b"},\n', '');
    expect(await removed(path, before, 'T-2')).toEqual({
      text: without,
      remarks:
        words === null
          ? []
          : [`T-3: ${JSON.stringify(words)} stood beside the dependency on T-2, and is gone with it`],
    });
  });
});
