import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShort } from '../io/proc/index.ts';
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

/** Milliseconds that the calls of the truth may take. */
const CALLS_MS = 60_000;

/**
 * Whether this text of a task's module does what its task asks for, and still does what it did: it is loaded alone, in a
 * folder of its own, and judged from outside by what its calls print.
 */
export async function isTrueCode(code: CodeWork, text: string | null): Promise<boolean> {
  if (text === null) return false;
  const cases = [...code.keeps, ...code.tests, ...code.truth];
  const program = `const { ${code.name} } = await import('./${codePath(code)}');\nconsole.log(JSON.stringify([${cases.map(({ call }) => call).join(', ')}]));\n`;
  const folder = mkdtempSync(join(tmpdir(), 'ralph-truth-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(folder, codePath(code)), text);
    const args = ['--input-type=module', '--eval', program];
    const options = { cwd: folder, stdin: 'ignore', timeout: CALLS_MS, reject: false } as const;
    const { stdout } = await runShort(process.execPath, args, options);
    return stdout.trim() === JSON.stringify(cases.map(({ gives }) => gives));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
