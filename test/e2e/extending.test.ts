import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../helpers/extensions.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** A copy of ralph with every extension of docs/EXTENDING.md, built. */
const copy = temporaryFolder();

beforeAll(() => {
  for (const name of ['bin', 'package.json', 'scripts', 'src', 'templates'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const diff of EXTENSIONS.values()) run(copy, 'git', ['apply', '-'], diff);
  run(copy, process.execPath, ['scripts/build.mjs']);
});

function run(cwd: string, program: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, RALPH_TRUST: '1' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, input, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const ralph = (cwd: string, ...args: string[]) =>
  run(cwd, process.execPath, [join(copy, 'bin/ralph.js'), ...args]);

describe('ralph with the extensions of docs/EXTENDING.md', () => {
  it('has the command', () => {
    const { root } = makeRepository();
    expect(ralph(root, 'where')).toContain(`repository  ${root}\n`);
    expect(JSON.parse(ralph(root, 'where', '--format', 'json'))).toMatchObject({ repository: root });
  });

  it('works through a task list of the new format', () => {
    const write = { action: 'write', path: 'parser.js', content: 'parse\n' };
    const claim = { action: 'status', status: 'DONE', exit_signal: true, evidence: ['parser.js:1 it'] };
    const { root, read } = makeRepository({
      'todo.txt': 'x Write the plan\n(A) Write the parser\n',
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n',
      '.ralph/scenario.json': JSON.stringify({ steps: [{ do: [write, claim] }] }),
    });
    ralph(root, 'run');
    expect(read('todo.txt')).toBe('x Write the plan\nx (A) Write the parser\n');
  });
});
