import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShort } from 'ralph-kit/programs/start/start-program';
import type { CodeWork, SuiteTask } from './suite.ts';

/** A task to write a function, with real tests of node:test. */
export type CodeTask = SuiteTask & { readonly code: CodeWork };

type Case = CodeWork['keeps'][number];

export const codePath = ({ name }: CodeWork) => `src/${name}.js`;
export const codeTestPath = ({ name }: CodeWork) => `test/${name}.test.js`;
/** Folder that git ignores. */
export const LOCAL = 'local';

export function codeText({ name }: CodeWork, body: string): string {
  return `export const ${name} = ${body};\n`;
}

export function testHead({ name }: CodeWork): string {
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n`;
}

/** Returns a test of one case. @param expected Expected value, as code. */
export function testOf({ call, gives }: Case, expected = JSON.stringify(gives)): string {
  return `\ntest(${JSON.stringify(call)}, () => {\n  assert.deepEqual(${call}, ${expected});\n});\n`;
}

/** Returns the tests that exist before the work. */
export function visibleTests(code: CodeWork): string {
  return testHead(code) + [...code.keeps, ...code.tests].map((one) => testOf(one)).join('');
}

/** Returns the scratch repository of one task. `isChecked`: the task has a `Check:` command. */
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

/** Returns a command that checks a case without a visible test. */
function checkOf(code: CodeWork): string {
  const { call, gives } = code.truth[0] as Case;
  const same = `require('node:util').isDeepStrictEqual(m.${call}, ${JSON.stringify(gives).replaceAll('"', "'")})`;
  return `node -e "import('./${codePath(code)}').then((m) => process.exit(${same} ? 0 : 1))"`;
}

const CALLS_MS = 60_000;

/** Whether a module does its task and still all it did before: loaded alone, it is judged by its printed results. */
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
