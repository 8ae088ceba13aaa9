import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('tables of rules, triggers and thresholds in docs/ say what the code goes by: npm run doc-tables', () => {
  const run = () => execFileSync(process.execPath, ['scripts/doc-tables.mjs', '--check'], { cwd: root });
  expect(run).not.toThrow();
});
