import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Seen } from './cases.ts';

/** What was seen of one program: docs/internals/agents.md has its table from these files (`npm run doc-tables`). */
type SeenOfProgram = { readonly version: string; readonly cases: Readonly<Record<string, Seen>> };

/** Keeps what was seen, in place of what was known of the same version; of another one nothing is kept. */
export function keepSeen(program: string, version: string, name: string, seen: Seen): void {
  const path = fileURLToPath(new URL(`seen/${program}.json`, import.meta.url));
  const known = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as SeenOfProgram)
    : { version, cases: {} };
  const cases = { ...(known.version === version ? known.cases : {}), [name]: seen };
  const sorted = Object.fromEntries(
    Object.entries(cases).toSorted(([one], [other]) => one.localeCompare(other, 'en')),
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ version, cases: sorted }, null, 2)}\n`);
}
