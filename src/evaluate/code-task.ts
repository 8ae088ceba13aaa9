import type { CodeWork, SuiteTask } from './suite.ts';

/** A task whose work is a function, and whose tests are real ones of node:test. */
export type CodeTask = SuiteTask & { readonly code: CodeWork };

type Case = CodeWork['keeps'][number];

export const codePath = ({ name }: CodeWork) => `src/${name}.js`;
export const codeTestPath = ({ name }: CodeWork) => `test/${name}.test.js`;
/** Git ignores what lies there. */
export const LOCAL = 'local';

/** The module of a task, with this function. */
export function codeText({ name }: CodeWork, body: string): string {
  return `export const ${name} = ${body};\n`;
}

export function testHead({ name }: CodeWork): string {
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n`;
}

/** @param expected What the call has to give, as code. */
export function testOf({ call, gives }: Case, expected = JSON.stringify(gives)): string {
  return `\ntest(${JSON.stringify(call)}, () => {\n  assert.deepEqual(${call}, ${expected});\n});\n`;
}

/** The tests that are there before the work. */
export function visibleTests(code: CodeWork): string {
  return testHead(code) + [...code.keeps, ...code.tests].map((one) => testOf(one)).join('');
}

/** The scratch repository that one task is worked on in. `isChecked`: the task names a command that shows it. */
export function codeFiles(
  name: string,
  { id, title, code }: CodeTask,
  isChecked: boolean,
): Readonly<Record<string, string>> {
  const check = isChecked ? `  - Check: \`${checkOf(code)}\`\n` : '';
  return {
    '.ralph/PRD.md': `# ${name}\n\n## Tasks\n\n- [ ] **${id}** ${title}\n${check}`,
    '.gitignore': `/${LOCAL}/\n`,
    'package.json': '{ "type": "module" }\n',
    [codePath(code)]: codeText(code, code.before),
    [codeTestPath(code)]: visibleTests(code),
  };
}

/** A command that shows one case which no visible test has. */
function checkOf(code: CodeWork): string {
  const { call, gives } = code.truth[0] as Case;
  const same = `require('node:util').isDeepStrictEqual(m.${call}, ${JSON.stringify(gives).replaceAll('"', "'")})`;
  return `node -e "import('./${codePath(code)}').then((m) => process.exit(${same} ? 0 : 1))"`;
}

/** A program that prints what each call of the truth gives, as one line of JSON. */
export function truthProgram(code: CodeWork): string {
  const calls = allCases(code).map(({ call }) => call);
  return `const { ${code.name} } = await import('./${codePath(code)}');\nconsole.log(JSON.stringify([${calls.join(', ')}]));\n`;
}

/** Whether a function that printed this does what its task asks for, and still does what it did. */
export function isTruth(code: CodeWork, printed: string): boolean {
  return printed.trim() === JSON.stringify(allCases(code).map(({ gives }) => gives));
}

function allCases({ keeps, tests, truth }: CodeWork): readonly Case[] {
  return [...keeps, ...tests, ...truth];
}
