import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

it('the torture run is bundled and lists its rows, which are the documented ones', () => {
  const listed = spawnSync(process.execPath, ['torture/run.mjs', '--list'], { cwd: ROOT, encoding: 'utf8' });
  expect(listed).toMatchObject({ status: 0, stderr: '' });
  const rows = [...listed.stdout.matchAll(/^ *([a-z][\w-]*)/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(15);
  const documented = readFileSync(join(ROOT, 'docs/internals/measuring.md'), 'utf8');
  expect(rows.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});
