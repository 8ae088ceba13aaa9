import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('docs/CLI.md says what the commands say (else: npm run cli-docs)', () => {
  const file = join(temporaryFolder(), 'CLI.md');
  const made = spawnSync(process.execPath, ['scripts/cli-docs.mjs', file], { cwd: root, encoding: 'utf8' });
  expect(made.stderr).toBe('');
  expect(readFileSync(join(root, 'docs/CLI.md'), 'utf8')).toBe(readFileSync(file, 'utf8'));
});
