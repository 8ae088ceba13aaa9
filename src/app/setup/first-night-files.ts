import { done } from './demo-files.ts';

const LIST = `# Calendar

## Tasks

- [ ] **T-1** Return the month of a date
  - \`src/date.js\` exports \`month\`
- [ ] **T-2** Return the weekday
- [ ] **T-3** Accept dates in the local form
- [ ] **T-4** Convert dates of other calendars
  - Timeout: 4s
- [ ] **T-5** Describe the functions in README.md
`;

const YEAR = 'export const year = (text) => Number(text.slice(0, 4));\n';
const TURNED = YEAR.replace('0, 4', '6, 10');
const MONTH = 'export const month = (text) => Number(text.slice(5, 7));\n';
const WEEKDAY = 'export const weekday = (text) => new Date(text).getUTCDay();\n';
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { year } from '../src/date.js';

test('a year', () => assert.equal(year('2026-11-23'), 2026));
`;

const step = (when: object, ...actions: object[]) => ({ when, do: actions });
const used = (inputTokens: number, outputTokens: number) => ({
  action: 'usage',
  input_tokens: inputTokens,
  output_tokens: outputTokens,
});
const NIGHT = {
  output: 'claude-stream',
  steps: [
    step(
      { task: 'T-1', attempt: 1 },
      { action: 'print', text: 'I added month() and all tests pass.' },
      used(18_000, 840),
      done('src/date.js:2 month'),
    ),
    step(
      { task: 'T-1' },
      { action: 'append', path: 'src/date.js', content: MONTH },
      used(21_000, 1310),
      done('src/date.js:2 month'),
    ),
    step(
      { task: 'T-2' },
      { action: 'append', path: 'src/date.js', content: WEEKDAY },
      used(19_500, 1120),
      done('src/date.js:3 weekday'),
    ),
    step(
      { task: 'T-3' },
      { action: 'write', path: 'src/date.js', content: `${TURNED}// attempt {attempt}\n${MONTH}${WEEKDAY}` },
      used(44_000, 1650),
      done('src/date.js:1 year'),
    ),
    step(
      { task: 'T-4' },
      { action: 'write', path: 'src/calendars.js', content: 'export const attempt = {attempt};\n' },
      used(24_000, 1000),
      { action: 'hang' },
    ),
    step({ task: 'T-5' }, used(21_000, 300), {
      action: 'status',
      status: 'BLOCKED',
      exit_signal: false,
      reason: 'Should README.md be in English or in German? The list does not say.',
    }),
  ],
};

/** Repository of docs/FIRST_NIGHT.md: five tasks, a test, and a scripted agent. */
export const FIRST_NIGHT_FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'calendar', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/date.js': YEAR,
  'test/date.test.js': TEST,
  'README.md': '# Calendar\n',
  '.ralph/PRD.md': LIST,
  '.ralph/scenario.json': `${JSON.stringify(NIGHT, null, 2)}\n`,
};
