import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('the level of at least 80 % of the labelled tasks is found, of those held out too: node scripts/eval-complexity.mjs', () => {
  const run = () => execFileSync(process.execPath, ['scripts/eval-complexity.mjs'], { cwd: root });
  expect(run).not.toThrow();
});
