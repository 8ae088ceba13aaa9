/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BIN, makeProject, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('the torture run is bundled and lists its rows, which are the documented ones', () => {
  const listed = spawnSync(process.execPath, ['torture/run.mjs', '--list'], { cwd: ROOT, encoding: 'utf8' });
  expect(listed).toMatchObject({ status: 0, stderr: '' });
  const rows = [...listed.stdout.matchAll(/^ *([a-z][\w-]*)/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(15);
  const documented = readFileSync(join(ROOT, 'docs/internals/measuring.md'), 'utf8');
  expect(rows.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});

/**
 * The most programs that ralph may start for a task with one gate, its commit and each third task's checkpoint: a tenth
 * of the number before questions to git were answered in process. It is 16, or a third of a program more, by how young
 * the files of an index are when it is read again.
 */
const MOST_PROGRAMS = 17;

it(`starts at most ${MOST_PROGRAMS} programs for a task`, () => {
  const tasks = [1, 2, 3, 4, 5, 6, 7].map((id) => `- [ ] **T-${id}** Task ${id}\n`);
  const one = makeProject({
    '.ralph/PRD.md': `## Tasks\n${tasks.join('')}`,
    '.ralph/ralph.toml': `${shellAgent()}[git]\ncommit = "on_done"\n[review]\nenabled = false\n[proof]\nmode = "off"\n[gates]\ncommands = ["true"]\n`,
    'agent.sh': `cat > /dev/null\necho work > "$RALPH_TASK_ID.txt"\n${SHELL_CLAIM}`,
  });
  const started = (iterations: number): string[] => {
    const file = join(temporaryFolder(), 'starts');
    const probe = join(ROOT, 'bench', 'programs', 'starts.cjs');
    const argv = ['--require', probe, BIN, 'run', '--trust', '--max-iterations', String(iterations)];
    const env = { ...process.env, STARTS_FILE: file };
    const { status, stdout } = spawnSync(process.execPath, argv, { cwd: one.root, env, encoding: 'utf8' });
    expect(status, stdout).toBe(3);
    return readFileSync(file, 'utf8').trim().split('\n');
  };
  started(1);
  const [few, many] = [started(1), started(4)];
  const each = (many.length - few.length) / 3;
  expect(each, many.toSorted().join(', ')).toBeLessThanOrEqual(MOST_PROGRAMS);
});
