/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { EXTENSIONS } from '../helpers/extensions.ts';
import { linkModules } from '../helpers/link-modules.ts';
import { always, claim, ONE_TASK } from '../helpers/project-files.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The copy of ralph has every extension of docs/EXTENDING.md, and is built. */
const copy = temporaryFolder();

beforeAll(() => {
  for (const name of ['bin', 'package.json', 'packages', 'scripts', 'src', 'templates'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  linkModules(ROOT, copy);
  for (const diff of EXTENSIONS.values()) run(copy, 'git', ['apply', '-'], diff);
  run(copy, process.execPath, ['scripts/build.mjs']);
});

function run(cwd: string, program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Returns the output of the extended ralph, whatever its exit code is. */
function ralph(cwd: string, ...args: string[]): string {
  const env = { ...process.env, RALPH_TRUST: '1' };
  return spawnSync(process.execPath, [join(copy, 'bin/ralph.js'), ...args], { cwd, env, encoding: 'utf8' })
    .stdout;
}

describe('ralph with the extensions of docs/EXTENDING.md', () => {
  it('knows the agent', () => {
    const { root } = makeRepository();
    expect(ralph(root, 'doctor', '--agents')).toContain('sketch');
    expect(ralph(root, 'init', '--agent', 'sketch')).toContain('ralph run');
  });

  it('denies what the rule forbids, and the agent reads why', () => {
    const { root, path } = makeRepository({
      '.ralph/PRD.md': ONE_TASK,
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_iterations = 1\n',
      '.ralph/scenario.json': JSON.stringify({
        output: 'claude-stream',
        steps: [{ do: [{ action: 'shell', command: 'mkdir -p generated && echo x > generated/a.ts' }] }],
      }),
    });
    ralph(root, 'run');
    const runs = readdirSync(path('.ralph/runs'));
    const reviews = readFileSync(path(`.ralph/runs/${runs[0]}/iterations/0001/reviews.jsonl`), 'utf8');
    expect(reviews).toContain('"rule":"generated_files"');
    expect(reviews).toContain('is made by a generator.');
  });

  it('has the command', () => {
    const { root } = makeRepository();
    expect(ralph(root, 'where')).toContain(`repository  ${root}\n`);
    expect(JSON.parse(ralph(root, 'where', '--format', 'json'))).toMatchObject({ repository: root });
  });

  it('finds what the detector is for', () => {
    const { root } = makeRepository({
      '.ralph/PRD.md': ONE_TASK,
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_iterations = 1\n',
      '.ralph/scenario.json': always(
        { action: 'shell', command: 'for i in $(seq 201); do echo "$i" > "$i"; done' },
        claim('1:1 made'),
      ),
    });
    ralph(root, 'run');
    expect(ralph(root, 'interventions')).toContain('large change');
  });

  it('works through a task list of the new format', () => {
    const write: ScenarioAction = { action: 'write', path: 'parser.js', content: 'parse\n' };
    const { root, read } = makeRepository({
      'todo.txt': 'x Write the plan\n(A) Write the parser\n',
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n',
      '.ralph/scenario.json': always(write, claim('parser.js:1 it')),
    });
    ralph(root, 'run');
    expect(read('todo.txt')).toBe('x Write the plan\nx (A) Write the parser\n');
  });
});
