import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('docs/CLI.md and the manual page say what the commands say (else: npm run cli-docs)', () => {
  const folder = temporaryFolder();
  const made = spawnSync(process.execPath, ['scripts/cli-docs.mjs', folder], { cwd: root, encoding: 'utf8' });
  expect(made.stderr).toBe('');
  for (const name of ['CLI.md', 'ralph.1'])
    expect(readFileSync(join(root, 'docs', name), 'utf8')).toBe(readFileSync(join(folder, name), 'utf8'));
});

it.skipIf(spawnSync('groff', ['--version']).status !== 0)(
  'groff sets the manual page without a warning',
  () => {
    const set = spawnSync('groff', ['-ww', '-man', '-Tutf8', '-P-cbou', 'docs/ralph.1'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([set.status, set.stderr]).toEqual([0, '']);
    const text = set.stdout.replace(/\s+/g, ' ');
    expect(text).toContain('ralph run [options] Work through the tasks until they are done.');
    expect(text).toContain('--max-iterations <n> stop after that many iterations');
  },
);
