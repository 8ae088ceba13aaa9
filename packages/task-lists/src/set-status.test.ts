import { describe, expect, it } from 'vitest';
import { fixture, parsed, readerOf } from '../test/fixtures.ts';
import { setTrackerStatus, setTrackerStatuses } from './index.ts';
import type { TrackedStatus } from './task.ts';

/** Sets a status, which must be possible. */
function set(text: string, path: string, id: string, status: TrackedStatus): string {
  const result = setTrackerStatus(text, path, readerOf(text, path), [], id, status);
  if (!result.ok) throw new Error(result.message);
  return result.text;
}

/** Lines of `after` that are not the same in `before`, by their place. */
function changedLines(before: string, after: string): string[] {
  const old = before.split('\n');
  return after.split('\n').filter((line, index) => line !== old[index]);
}

describe('Markdown', () => {
  const prd = fixture('prd.md');

  it('leaves the text of a waiting task, unless it says done', () => {
    expect(set(prd, 'PRD.md', 'E1-02', 'parked')).toBe(prd);
    expect(changedLines(prd, set(prd, 'PRD.md', 'E1-01', 'parked'))).toEqual([
      '- [ ] **E1-01** Parse the arguments',
    ]);
  });

  const body = '### Task 1: t\n- [x] a\n- [ ] b\n- [ ] c\n';
  it.each([
    ['done', '### Task 1: t\n- [x] a\n- [x] b\n- [x] c\n'],
    ['blocked', '### Task 1: t\n- [x] a\n- [-] b\n- [ ] c\n'],
    ['in_progress', '### Task 1: t\n- [x] a\n- [~] b\n- [ ] c\n'],
  ] as const)('a Task heading with boxes, %s', (status, expected) => {
    const edited = set(body, 'plan.md', '1', status);
    expect(edited).toBe(expected);
    if (status !== 'done') expect(set(edited, 'plan.md', '1', 'open')).toBe(body);
  });

  it('unticks all boxes of a done task, and marks the last one when it is blocked', () => {
    const done = '### Task 1: t\n- [x] a\n- [X] b\n';
    expect(set(done, 'plan.md', '1', 'open')).toBe('### Task 1: t\n- [ ] a\n- [ ] b\n');
    expect(set(done, 'plan.md', '1', 'blocked')).toBe('### Task 1: t\n- [x] a\n- [-] b\n');
  });

  it.each([
    ['### Task 1: t ##  \r\ntext\r\n', '### Task 1: t [x] ##  \r\ntext\r\n'],
    ['### [ ] Task 1: t\n', '### [x] Task 1: t\n'],
    ['### Task 1: [ ] t', '### Task 1: [x] t'],
    ['### Task 1: t <!-- c -->\n', '### Task 1: t [x] <!-- c -->\n'],
    ['### Task 1: t', '### Task 1: t [x]'],
  ])('a Task heading without boxes: %j', (open, done) => {
    const edited = set(open, 'plan.md', '1', 'done');
    expect(edited).toBe(done);
    expect(set(edited, 'plan.md', '1', 'open')).toBe(open);
    expect(parsed(edited, 'plan.md').tasks[0]).toMatchObject({ title: 't', status: 'done' });
  });
});

describe('JSON', () => {
  it.each([
    ['a word', '{"stories": [{"id": "A", "status": "open", "x": 1}]}', 'done', '"status": "done"'],
    ['a flag', '{"userStories": [{"id":"A","passes":false}]}', 'done', '"passes":true'],
    [
      'both',
      '{"stories": [{"id":"A","status":"open","passes":false}]}',
      'done',
      '"status":"done","passes":true',
    ],
    ['a missing word', '{"stories": [{"id": "A", "title": "a"}]}', 'done', '"title": "a", "status": "done"}'],
    ['a missing flag', '{"userStories": [{"id":"A","title":"a"}]}', 'done', '"title":"a","passes":true}'],
    [
      'the last of equal keys',
      '[{"id":"A","status":"done","status":"open"}]',
      'done',
      '"done","status":"done"',
    ],
  ] as const)('writes %s', (_, text, status, part) => {
    expect(set(text, 'prd.json', 'A', status)).toContain(part);
  });

  it('puts a missing key in the style around it, and takes it out again', () => {
    const text =
      '{\r\n\t"stories": [\r\n\t\t{\r\n\t\t\t"id" : "A",\r\n\t\t\t"title" : "a"\r\n\t\t},\r\n\t\t{"id": "B", "status": "blocked"},\r\n\t\t{"id": "C"}\r\n\t]\r\n}';
    const edited = set(text, 'prd.json', 'A', 'done');
    expect(edited).toContain('"title" : "a",\r\n\t\t\t"status" : "done"\r\n\t\t},');
    expect(set(edited, 'prd.json', 'A', 'open')).toBe(text);
  });

  it('keeps a false flag where the others have one', () => {
    const text =
      '{"stories":[{"id":"A","passes":false,"blocked":false},{"id":"B","passes":false,"blocked":false}]}';
    const edited = set(text, 'prd.json', 'A', 'blocked');
    expect(edited).toContain('"A","passes":false,"blocked":true');
    expect(set(edited, 'prd.json', 'A', 'open')).toBe(text);
  });

  it('leaves a file of flags as it is for what it cannot say, and takes a tick away', () => {
    const text = '{"userStories":[{"id":"A","passes":false},{"id":"B","passes":true}]}';
    for (const status of ['blocked', 'in_progress', 'parked'] as const) {
      expect(set(text, 'prd.json', 'A', status)).toBe(text);
      expect(set(text, 'prd.json', 'B', status)).toBe(text.replace('true', 'false'));
    }
  });

  it.each([
    ['"opened"', '"closed"', '"closed"'],
    ['"OPEN"', '"CLOSED"', '"CLOSED"'],
    ['"open"', '"California"', '"closed"'],
  ])('takes the word in "state" for the status of an issue: %s', (open, other, closed) => {
    const text = `[{"number":1,"title":"a","state":${open}},{"number":2,"title":"b","state":${other}}]`;
    const edited = set(text, 'issues.json', '1', 'done');
    expect(edited).toBe(text.replace(open, closed));
    expect(parsed(text, 'issues.json').tasks.map(({ status }) => status)).toEqual([
      'open',
      other === closed ? 'done' : 'open',
    ]);
  });

  it("writes the file's own words", () => {
    const text = '[{"id":"A","status":"To Do"},{"id":"B","status":"Completed"},{"id":"C","status":"To Do"}]';
    expect(set(text, 'x.json', 'A', 'done')).toBe(text.replace('To Do', 'Completed'));
    expect(set(text, 'x.json', 'B', 'open')).toBe(text.replace('Completed', 'To Do'));
  });
});

describe('YAML', () => {
  const yaml = fixture('tasks.yaml');

  it.each([
    ['2', 'done', '    completed: true'],
    ['1', 'open', '    completed: false'],
    ['3', 'done', '  - {id: 3, title: Send by mail, completed: true, depends_on: [2]}'],
  ] as const)('%s %s', (id, status, line) => {
    expect(changedLines(yaml, set(yaml, 'tasks.yaml', id, status))).toEqual([line]);
  });

  it.each(['tasks.yaml', 'tasks-crlf.yaml'])(
    'adds a key to a block and a braced mapping of %s, and takes it out',
    (name) => {
      const text = fixture(name);
      const blocked = set(text, name, '2', 'blocked');
      const added = blocked.replace(text.slice(0, text.indexOf('    completed: false')), '');
      expect(added).toMatch(/^ {4}completed: false\r?\n {4}blocked: true\r?\n {4}depends_on/);
      expect(set(blocked, name, '2', 'open')).toBe(text);
      const noId = parsed(text, name).tasks[3]?.id ?? '';
      expect(set(set(text, name, noId, 'done'), name, noId, 'open')).toContain('title: No id');
    },
  );

  it.each([
    [
      'a comment on the line',
      'tasks:\n- id: 1\n  completed: false # soon\n- id: 2\n',
      'tasks:\n- id: 1\n  completed: true # soon\n- id: 2\n',
    ],
    ['a key without a value', 'tasks:\n- id: 1\n  completed:\n', 'tasks:\n- id: 1\n  completed: true\n'],
    ['no end of line', 'tasks:\n- id: 1', 'tasks:\n- id: 1\n  completed: true'],
    ['a first key', '- completed: false\n  id: 1\n', '- completed: true\n  id: 1\n'],
    ['quotes', "- id: 1\n  status: 'open'\n", "- id: 1\n  status: 'done'\n"],
    ['a wrong value', '- id: 1\n  completed: no\n', '- id: 1\n  completed: true\n'],
    [
      'JSON in YAML',
      '{"tasks": [{"id": 1, "completed": false}]}',
      '{"tasks": [{"id": 1, "completed": true}]}',
    ],
  ])('writes done with %s', (_, text, expected) => {
    expect(set(text, 'tasks.yaml', '1', 'done')).toBe(expected);
  });

  it('keeps a comment that stands behind a key it would take out', () => {
    const text = 'tasks:\n- id: 1\n  blocked: true # no account yet\n- id: 2\n';
    expect(set(text, 'tasks.yaml', '1', 'open')).toBe(text.replace('true', 'false'));
  });

  it('refuses what it cannot edit', () => {
    const text = 'base: &b\n  id: 1\n  title: a\ntasks:\n- *b\n';
    const result = setTrackerStatus(text, 'tasks.yaml', readerOf(text, 'tasks.yaml'), [], '1', 'done');
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('write it by hand') });
  });
});

it('ticks what is not ticked yet of many tasks, and reads the list no more often than it is changed', () => {
  const ids = Array.from({ length: 200 }, (_, index) => `T-${index}`);
  const open = new Set(['T-3', 'T-150']);
  const listed = (isOpen: (id: string) => boolean) =>
    ids.map((id) => `- [${isOpen(id) ? ' ' : 'x'}] **${id}** ${id}\n`).join('');
  const text = listed((id) => open.has(id));
  const reader = readerOf(text, 'PRD.md');
  let readings = 0;
  const counted: typeof reader = (...given) => {
    readings += 1;
    return reader(...given);
  };
  expect(setTrackerStatuses(text, 'PRD.md', counted, [], [...ids, 'of another list'], 'done')).toBe(
    listed(() => false),
  );
  expect(readings).toBe(1 + 2 * open.size);
});
