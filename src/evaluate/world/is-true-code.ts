import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShort } from '../../io/proc/index.ts';
import { codePath, isTruth, truthProgram } from '../code-task.ts';
import type { CodeWork } from '../suite.ts';

/** Milliseconds that its calls may take. */
const CALLS_MS = 60_000;

/** Whether this text of a task's module is what the task asks for: it is loaded alone, in a folder of its own, and judged from outside. */
export async function isTrueCode(code: CodeWork, text: string | null): Promise<boolean> {
  if (text === null) return false;
  const folder = mkdtempSync(join(tmpdir(), 'ralph-truth-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(folder, codePath(code)), text);
    const { stdout } = await runShort(
      process.execPath,
      ['--input-type=module', '--eval', truthProgram(code)],
      { cwd: folder, stdin: 'ignore', timeout: CALLS_MS, reject: false },
    );
    return isTruth(code, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
