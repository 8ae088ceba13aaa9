import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../helpers/bundle.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** A fresh folder with the scripted agent, as it is bundled for release, and a place to work in. */
export type Stage = {
  readonly folder: string;
  readonly program: string;
  /** Empties the working directory and returns its path. */
  readonly fresh: () => string;
  readonly scenario: (content: unknown) => string;
};

export async function makeStage(): Promise<Stage> {
  const folder = temporaryFolder();
  const program = await bundle(new URL('../../../src/app/demo/main.ts', import.meta.url));
  let count = 0;
  return {
    folder,
    program,
    fresh: () => {
      count += 1;
      const cwd = join(folder, `work-${count}`);
      mkdirSync(cwd);
      return cwd;
    },
    scenario: (content) => {
      const file = join(folder, 'scenario.json');
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
  };
}

export type Ran = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** Runs a command with a prompt on standard input; `onOutput` sees the output so far after each piece of it. */
export function runAgent(options: {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly prompt?: string;
  readonly env?: Record<string, string>;
  readonly onOutput?: (stdout: string, kill: (signal: NodeJS.Signals) => void) => void;
}): Promise<Ran> {
  const [program = '', ...args] = options.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env } });
    const ran: Ran = { code: null, signal: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      ran.stdout += text;
      options.onOutput?.(ran.stdout, (signal) => child.kill(signal));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ran.stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ ...ran, code, signal }));
    child.stdin.on('error', () => {});
    child.stdin.end(options.prompt ?? '');
  });
}
