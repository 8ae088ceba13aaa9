import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const fresh = temporaryFolder();

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
