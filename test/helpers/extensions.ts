import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOC = readFileSync(fileURLToPath(new URL('../../docs/EXTENDING.md', import.meta.url)), 'utf8');

/** The diffs of docs/EXTENDING.md, by the heading above each diff. */
export const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  DOC.split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', /^```diff\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '']),
);
