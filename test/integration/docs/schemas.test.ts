import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), 'ralph-schemas-'));
afterEach(() => rmSync(fresh, { recursive: true, force: true }));

function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

it('keeps schemas/ up to date with the zod schemas (else: npm run schemas)', () => {
  const made = spawnSync(process.execPath, ['scripts/schemas.mjs', fresh], { cwd: root, encoding: 'utf8' });
  expect(made.stderr).toBe('');
  expect(made.status).toBe(0);
  const expected = contents(fresh);
  const kept = contents(join(root, 'schemas'));
  expect(Object.keys(kept)).toEqual(Object.keys(expected));
  const stale = Object.keys(expected).filter((name) => kept[name] !== expected[name]);
  expect(stale).toEqual([]);
});
