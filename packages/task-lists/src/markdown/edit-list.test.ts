import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editTrackerText, parseTracker, trackerReader } from '../index.ts';
import type { TrackerEdit } from '../task.ts';

const NEW = { title: 'Write docs', priority: null, dependsOn: [], acceptance: [] };
const add = (more: object = {}): TrackerEdit => ({ kind: 'add', task: { ...NEW, ...more } });

async function edited(path: string, text: string, edit: TrackerEdit): Promise<string> {
  const reader = await trackerReader(text, path, 'auto');
  const result = editTrackerText(text, path, reader, [], edit);
  return result.ok ? result.text : `refused: ${result.message}`;
}

const LIST = `# Plan

## Tasks

- [x] **T-1** Parse *all* of it
  - [ ] tables
- [ ] **T-2** Print it

## Notes

- nothing
`;
const HEADED = '# Plan\n\n## Task 1: Parse\n\n- [ ] tables\n\n## Task 2: Print [x]\n\ntext\n';
const JSON_LIST = `{
  "stories": [
    { "id": "S-1", "title": "Parse", "passes": true },
    { "id": "S-2", "title": "Print", "passes": false }
  ]
}
`;
const YAML_LIST = `tasks:
  # first
  - id: 1
    title: Parse
    completed: true
  - id: 2
    title: 'Print: all' # loud
    completed: false
`;

describe('a change of the list leaves everything else as it was', () => {
  it.each<[string, string, string, TrackerEdit, string]>([
    [
      'a check list',
      'PRD.md',
      LIST,
      add(),
      LIST.replace('Print it\n', 'Print it\n- [ ] **T-3** Write docs\n'),
    ],
    [
      'with all that a task can have',
      'PRD.md',
      LIST,
      add({ priority: 1, dependsOn: ['T-1'], acceptance: ['it reads well'] }),
      LIST.replace(
        'Print it\n',
        'Print it\n- [ ] **T-3** Write docs\n  Priority: 1\n  Depends on: T-1\n  - [ ] it reads well\n',
      ),
    ],
    ['brackets', 'PRD.md', '- [ ] [T-9] One\n', add(), '- [ ] [T-9] One\n- [ ] [T-10] Write docs\n'],
    ['parentheses', 'PRD.md', '- [ ] (T-9) One\n', add(), '- [ ] (T-9) One\n- [ ] (T-10) Write docs\n'],
    ['a colon', 'PRD.md', '- [ ] T-9: One\n', add(), '- [ ] T-9: One\n- [ ] T-10: Write docs\n'],
    ['names', 'PRD.md', '- [ ] **a-b** One\n', add(), '- [ ] **a-b** One\n- [ ] Write docs\n'],
    ['issues', 'PRD.md', '- [ ] #12 One\n', add(), '- [ ] #12 One\n- [ ] Write docs\n'],
    [
      'an id of its own',
      'PRD.md',
      '- [ ] T-9: One\n',
      add({ title: '[c-4] Write docs', dependsOn: ['T-9'] }),
      '- [ ] T-9: One\n- [ ] [c-4] Write docs\n  Depends on: T-9\n',
    ],
    [
      'an empty list',
      'PRD.md',
      '# Plan\n\n## Tasks\n',
      add(),
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write docs\n',
    ],
    ['no line end at the end', 'PRD.md', '* [ ] One', add(), '* [ ] One\n* [ ] Write docs\n'],
    ['a numbered list', 'PRD.md', '9. [ ] One\r\n', add(), '9. [ ] One\r\n10. [ ] Write docs\r\n'],
    [
      'headings',
      'PRD.md',
      HEADED,
      add({ acceptance: ['x'] }),
      `${HEADED}\n## Task 3: Write docs\n\n- [ ] x\n`,
    ],
    [
      'JSON',
      'prd.json',
      JSON_LIST,
      add({ priority: 2 }),
      JSON_LIST.replace(
        '"passes": false }',
        '"passes": false },\n    {"id":"S-3","title":"Write docs","priority":2,"passes":false}',
      ),
    ],
    [
      'YAML',
      'tasks.yaml',
      YAML_LIST,
      add({ title: 'Say: "hi"' }),
      `${YAML_LIST.trimEnd()}\n  - id: 3\n    title: "Say: \\"hi\\""\n    completed: false\n`,
    ],
  ])('%s gets a task', async (_, path, text, edit, expected) => {
    expect(await edited(path, text, edit)).toBe(expected);
  });

  it.each([
    ['PRD.md', LIST, 'T-1', LIST.replace('Parse *all* of it', 'Read it')],
    ['PRD.md', '- [ ] [T-9] One\n', 'T-9', '- [ ] [T-9] Read it\n'],
    ['PRD.md', '- [ ] **a-b**: One\n', 'a-b', '- [ ] **a-b**: Read it\n'],
    ['PRD.md', '- [ ] #12 One\n', '#12', '- [ ] #12 Read it\n'],
    ['PRD.md', HEADED, '2', HEADED.replace('Print', 'Read it')],
    ['prd.json', JSON_LIST, 'S-2', JSON_LIST.replace('Print', 'Read it')],
    ['tasks.yaml', YAML_LIST, '2', YAML_LIST.replace("'Print: all'", '"Read it"')],
  ])('%s: another title', async (path, text, taskId, expected) => {
    expect(await edited(path, text, { kind: 'retitle', taskId, title: 'Read it' })).toBe(expected);
  });

  it.each([
    ['PRD.md', LIST, 'T-1', LIST.replace('- [x] **T-1** Parse *all* of it\n  - [ ] tables\n', '')],
    ['PRD.md', LIST, 'T-2', LIST.replace('- [ ] **T-2** Print it\n', '')],
    ['PRD.md', HEADED, '1', HEADED.replace('## Task 1: Parse\n\n- [ ] tables\n', '')],
    [
      'prd.json',
      JSON_LIST,
      'S-1',
      JSON_LIST.replace('{ "id": "S-1", "title": "Parse", "passes": true },\n    ', ''),
    ],
    [
      'prd.json',
      JSON_LIST,
      'S-2',
      JSON_LIST.replace(',\n    { "id": "S-2", "title": "Print", "passes": false }', ''),
    ],
    [
      'tasks.yaml',
      YAML_LIST,
      '1',
      YAML_LIST.replace('  - id: 1\n    title: Parse\n    completed: true\n', ''),
    ],
    ['tasks.yaml', YAML_LIST, '2', YAML_LIST.slice(0, YAML_LIST.indexOf('  - id: 2'))],
    [
      'tasks.yaml',
      'tasks:\n  - id: 1 # one\n    title: a\n    # of a\n\n  # Phase two\n  - id: 2\n    title: b\n  # Later\n',
      '1',
      'tasks:\n  # Phase two\n  - id: 2\n    title: b\n  # Later\n',
    ],
    [
      'tasks.yaml',
      'tasks:\n  - id: 1\n    title: a\n  # Phase two\n  - id: 2\n    title: b\n  # Later\n',
      '2',
      'tasks:\n  - id: 1\n    title: a\n  # Phase two\n  # Later\n',
    ],
  ])('%s: one task less', async (path, text, taskId, expected) => {
    expect(await edited(path, text, { kind: 'remove', taskId })).toBe(expected);
  });

  it.each([
    ['a task that is not there', 'PRD.md', LIST, { kind: 'remove', taskId: 'T-9' }],
    ['a list in brackets', 'tasks.yaml', 'tasks: [{ id: a, title: b }]\n', add()],
    ['an empty JSON list', 'prd.json', '[]', add()],
  ] as [string, string, string, TrackerEdit][])('%s is refused', async (_, path, text, edit) => {
    expect(await edited(path, text, edit)).toMatch(/^refused: .*edit it by hand$/);
  });

  it('what is added is there, and what is taken out again leaves the text as it was', async () => {
    const texts = [LIST, HEADED, JSON_LIST, YAML_LIST];
    const paths = ['PRD.md', 'PRD.md', 'prd.json', 'tasks.yaml'];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        async (which, raw) => {
          const title = raw.replace(/[\r\n\u2028\u2029]/g, ' ').trim();
          const [text = '', path = ''] = [texts[which], paths[which]];
          const one = await edited(path, text, add({ title }));
          fc.pre(!one.startsWith('refused'));
          const reader = await trackerReader(one, path, 'auto');
          const parsed = parseTracker(one, path, reader, []);
          const last = parsed.ok ? parsed.tasks.at(-1) : undefined;
          expect(last?.title).toBe(title);
          const without = await edited(path, one, { kind: 'remove', taskId: last?.id ?? '' });
          // A heading is added with an empty line, which may stay, so the ends of the texts aren't compared.
          expect(without.trimEnd()).toBe(text.trimEnd());
        },
      ),
    );
  });
});
