import { describe, expect, it } from 'vitest';
import { editTrackerText, trackerReader } from './index.ts';

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

  it('of all tasks that wait for it', async () => {
    const before = '- [ ] T-1: a\n  Depends on: T-2\n- [ ] T-2: b\n- [ ] T-3: c\n  Depends on: T-2\n';
    expect(await without('PRD.md', before)).toBe('- [ ] T-1: a\n- [ ] T-3: c\n');
  });

  it('is refused where a title names it: that is prose', async () => {
    const before = '- [ ] T-2: b\n- [ ] T-3: c (depends on T-2)\n';
    expect(await without('PRD.md', before)).toMatch(/^PRD\.md can't be edited/);
  });
});
