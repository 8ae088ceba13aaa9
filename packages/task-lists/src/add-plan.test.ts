import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPlan, parseTracker, trackerReader } from './index.ts';
import type { ListPlan } from './task.ts';

type Planned = ListPlan['tasks'][number];

function task(title: string, more: Partial<Planned> = {}): Planned {
  return { title, priority: null, dependsOn: [], acceptance: [], after: [], ...more };
}

const FULL = task('Month', {
  complexity: 'medium',
  expectedPaths: ['src/a.js', 'test/a.test.js'],
  gates: ['test'],
  boundaries: ['no new package'],
  acceptance: ['`src/a.js` exists'],
  checks: ['node test/a.js', 'echo `date` > x'],
});

async function planned(
  path: string,
  text: string,
  tasks: readonly Planned[],
  replaces: string | null = null,
) {
  const reader = await trackerReader(text, path, 'auto');
  const added = addPlan(text, path, reader, [], { tasks, replaces });
  if (!added.ok) return { text: added.message, ids: [], tasks: [] };
  const read = parseTracker(added.text, path, reader, added.remembered);
  return { text: added.text, ids: added.ids, tasks: read.ok ? read.tasks : [] };
}

const MARKDOWN = `# Plan

## Tasks

- [ ] **T-1** Parse
- [ ] **T-2** Print
  - Depends on: T-1, T-3
- [ ] **T-3** Write

## Notes
`;
const LISTS: readonly (readonly [string, string, string])[] = [
  ['PRD.md', MARKDOWN, 'T-1'],
  ['ids.md', '- [ ] Parse\n- [ ] Print\n  Depends on: 1\n', 't-'],
  ['headed.md', '# P\n\n## Task 1: Parse\n\n- [ ] x\n\n## Task 2: Print\n\nDepends on: Task 1\n', '1'],
  [
    'prd.json',
    '{"stories": [\n {"id": "S-1", "title": "Parse"},\n {"id": "S-2", "title": "Print", "dependsOn": ["S-1"]}\n]}',
    'S-1',
  ],
  [
    'one.json',
    '[{"id":1,"title":"Parse","done":false},{"id":2,"title":"Print","deps":[1],"done":false}]',
    '1',
  ],
  [
    'master.json',
    '{"master": {"tasks": [\n{"id": 1, "title": "Parse", "status": "pending"},\n{"id": 2, "title": "Print", "dependencies": [1], "status": "pending"}\n]}}',
    '1',
  ],
  [
    'flow.yaml',
    'tasks:\n  - id: A-1\n    title: Parse\n  - id: A-2\n    title: Print\n    depends_on: [A-1]\n',
    'A-1',
  ],
  [
    'block.yaml',
    'tasks:\r\n  - id: A-1\r\n    title: Parse\r\n  - id: A-2\r\n    title: Print\r\n    depends_on:\r\n      - "A-1"\r\n',
    'A-1',
  ],
];

describe('a plan in a list', () => {
  it('is written as the list is, with all that its tasks say', async () => {
    const { text, ids } = await planned('PRD.md', MARKDOWN, [
      FULL,
      task('Show', { after: [0], dependsOn: ['T-3'] }),
    ]);
    expect(ids).toEqual(['T-4', 'T-5']);
    expect(text).toBe(
      MARKDOWN.replace(
        '- [ ] **T-3** Write\n',
        `- [ ] **T-3** Write
- [ ] **T-4** Month
  Complexity: medium
  Files: src/a.js, test/a.test.js
  Gates: test
  Boundaries: no new package
  - [ ] \`src/a.js\` exists
  Check: \`node test/a.js\`
  Check: \`\` echo \`date\` > x \`\`
- [ ] **T-5** Show
  Depends on: T-3, T-4
`,
      ),
    );
  });

  it.each(LISTS)('%s: every task reads as it was meant, and nothing else changes', async (path, text) => {
    const { ids, tasks, text: now } = await planned(path, text, [FULL, task('Show', { after: [0] })]);
    expect(ids, now).toHaveLength(2);
    const [month, show] = tasks.slice(-2);
    expect(month).toMatchObject({
      ...{ title: 'Month', complexity: 'medium', gates: ['test'], checks: FULL.checks },
      ...{ expectedPaths: FULL.expectedPaths, acceptance: FULL.acceptance },
    });
    expect(show?.dependsOn).toEqual([ids[0]]);
    for (const line of text.split(/\r?\n/).filter((one) => one.length > 12 && !one.startsWith('['))) {
      expect(now).toContain(line.replace(/\}$/, ''));
    }
  });

  it.each(LISTS)('%s: pieces take the place of a task', async (path, text, id) => {
    const pieces = [task('First'), task('Second', { after: [0] }), task('Third', { after: [0] })];
    const [old] = (await planned(path, text, [])).tasks;
    expect(old?.id).toMatch(id);
    const { ids, tasks, text: now } = await planned(path, text, pieces, old?.id);
    expect(ids, now).toHaveLength(3);
    expect(tasks.map(({ title }) => title)).not.toContain('Parse');
    const print = tasks.find(({ title }) => title === 'Print');
    expect(print?.dependsOn).toEqual(expect.arrayContaining(ids.slice(1)));
    expect(print?.dependsOn).not.toContain(old?.id);
    expect(print?.dependsOn).not.toContain(ids[0]);
  });

  it('is refused whole where one of its tasks would read otherwise', async () => {
    for (const bad of [
      task('Show\n- [ ] **T-9** more'),
      task('Show', { acceptance: ['a\n- [x] b'] }),
      task('Show', { checks: ['a\nb'] }),
      task('Show', { expectedPaths: ['a file'] }),
    ]) {
      const { text, ids } = await planned('PRD.md', MARKDOWN, [FULL, bad]);
      expect(ids).toEqual([]);
      expect(text).toMatch(/can't be edited/);
    }
  });

  it('never changes what an earlier task says, whatever its words', async () => {
    const words = fc.string({ minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...LISTS),
        words,
        words,
        words,
        async ([path, text], title, text1, check) => {
          const { ids, tasks } = await planned(path, text, [
            task(title, { acceptance: [text1], checks: [check] }),
          ]);
          const before = (await planned(path, text, [])).tasks;
          if (ids.length > 0) {
            expect(tasks.slice(0, -1)).toEqual(before);
            expect(tasks.at(-1)).toMatchObject({ acceptance: [text1], checks: [check] });
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
