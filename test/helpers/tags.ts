import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tags of test files. They are vitest's own, so that `--list-tags` and `--tags-filter` know them. */
export const TAGS = [
  { name: 'rest', description: 'one case more of what `npm test` has already walked through' },
  { name: 'slow', description: 'hundreds of cases of one thing, or whole nights' },
  { name: 'installs', description: 'installs programs of others, or works with many that are seldom there' },
] as const;

export type Tag = (typeof TAGS)[number]['name'];

/** Returns the first line of a file with the tag. */
export const tagLine = (tag: Tag): string => `/** @module-tag ${tag} */`;

/** Returns the tag in the first line of a test file; `null`: it has none. */
export function tagOf(text: string): Tag | null {
  return TAGS.find(({ name }) => text.startsWith(`${tagLine(name)}\n`))?.name ?? null;
}

/** Returns test files of every kind, as sorted paths below the folder `top`. */
export function testFiles(top: string): string[] {
  const packages = readdirSync(join(top, 'packages')).map((name) => `packages/${name}/src`);
  return ['test', ...packages.filter((folder) => existsSync(join(top, folder)))]
    .flatMap((folder) =>
      readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
}

/** Returns test files by tag, as sorted paths below the folder `top`. */
export function taggedFiles(top: string): Readonly<Record<Tag, string[]>> {
  const found: Record<Tag, string[]> = { rest: [], slow: [], installs: [] };
  for (const path of testFiles(top)) {
    const tag = tagOf(readFileSync(join(top, path), 'utf8'));
    if (tag !== null) found[tag].push(path);
  }
  return found;
}
