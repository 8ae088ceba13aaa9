import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it("docs/REVIEW_RULES.md has the rules' own texts: npm run review-rules", () => {
  const run = () => execFileSync(process.execPath, ['scripts/review-rules.mjs', '--check'], { cwd: root });
  expect(run).not.toThrow();
});
