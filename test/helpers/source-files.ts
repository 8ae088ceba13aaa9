import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const TOP = join(import.meta.dirname, '..', '..');
const SRC = join(TOP, 'src');
/** The packages that are bundled into the program. */
export const PACKAGES: readonly string[] = readdirSync(join(TOP, 'packages')).filter((name) =>
  existsSync(join(TOP, 'packages', name, 'src')),
);
/** Folders of all that is ours in the program, from the top of the repository. */
export const SOURCES: readonly string[] = ['src', ...PACKAGES.map((name) => `packages/${name}/src`)];

/** Modules of the program, as paths from `src`: those of packages begin with `../packages/`. Tests beside the code aren't among them. */
export function sourceFiles(): string[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => relative(SRC, join(TOP, folder, path))),
  );
}

/** Returns the modules outside of a package whose code, without its comments, has one of these names; sorted. */
export function modulesNaming(names: RegExp, owner: string): string[] {
  return sourceFiles()
    .filter((path) => !path.startsWith(`../packages/${owner}/`))
    .filter((path) => names.test(withoutComments(readFileSync(join(SRC, path), 'utf8'))))
    .toSorted();
}

/** Returns a text without the lines that are comments. */
function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/\*|\*)/.test(line))
    .join('\n');
}
