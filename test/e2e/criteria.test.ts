import { expect, it } from 'vitest';
import { attempts, claim, makeProject } from '../helpers/cli.ts';

const CRITERION = '`src/date.js` exports `month`';
const YEAR = 'export const year = (iso) => Number(iso.slice(0, 4));\n';
const MONTH = 'export function month(iso) {\n  return Number(iso.slice(5, 7));\n}\n';
const FILES = {
  '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] **T-1** Return the month of a date\n  - ${CRITERION}\n  - it is fast\n`,
  'src/date.js': YEAR,
};

const written = (path: string, content: string) => [
  { action: 'write' as const, path, content },
  claim(`${path}:1 the month`),
];

it('a criterion about an export keeps work in another file from being done', () => {
  const project = makeProject({
    ...FILES,
    '.ralph/scenario.json': attempts(
      written('src/month.js', MONTH),
      written('src/date.js', `export * from './month.js';\n${YEAR}`),
    ),
  });
  const run = project.json('run');
  expect(run).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 2, lies_caught: 1 });
  const [first, second] = [project.iteration(1), project.iteration(2)];
  expect(first.decisions.verdict).toMatchObject({ kind: 'false_completion' });
  expect(first.facts.criteria).toEqual([
    { criterion: 0, standing: 'contradicted', why: "src/date.js doesn't export month" },
    { criterion: 1, standing: 'not_checked', why: 'it says nothing that reading files can tell' },
  ]);
  expect(project.promptOf(2)).toContain("acceptance is unmet: src/date.js doesn't export month");
  expect(second.facts.criteria[0]).toMatchObject({ standing: 'shown', why: 'src/date.js exports month' });
  expect(run.done_in_run).toMatchObject([
    {
      id: 'T-1',
      criteria: [
        { text: CRITERION, standing: 'shown', why: 'src/date.js exports month' },
        { text: 'it is fast', standing: 'not_checked' },
      ],
    },
  ]);
  const report = project.ralph('report', '--format', 'markdown').stdout;
  expect(report).toContain('shown: src/date.js exports month');
  expect(project.ralph('report').stdout.replace(/\s+/g, ' ')).toContain('1 of 2 criteria not checked');
});

it('honest work is done at once', () => {
  const project = makeProject({
    ...FILES,
    '.ralph/scenario.json': attempts(written('src/date.js', `${YEAR}${MONTH}`)),
  });
  expect(project.json('run')).toMatchObject({
    exit_code: 0,
    ending: 'all_done',
    iterations: 1,
    lies_caught: 0,
  });
});

it('a text that was to go is looked for in all files', () => {
  const project = makeProject({
    ...FILES,
    '.ralph/PRD.md':
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** Rename year to yearOf\n  - no file contains `year(` any more\n',
    'src/main.js': "import { year } from './date.js';\nyear('2024');\n",
    '.ralph/scenario.json': attempts(
      written('src/date.js', YEAR.replace('year', 'yearOf')),
      written('src/main.js', "import { yearOf } from './date.js';\nyearOf('2024');\n"),
    ),
  });
  expect(project.json('run')).toMatchObject({ ending: 'all_done', iterations: 2 });
  expect(project.iteration(1).facts.criteria).toMatchObject([
    { standing: 'contradicted', why: 'src/main.js contains `year(`' },
  ]);
  expect(project.iteration(2).facts.criteria).toMatchObject([{ standing: 'shown' }]);
});
