import type { Git, TextFiles } from '../../domain/ports.ts';
import { breakCode, inlineTests } from '../../proof/shown/index.ts';

/** Maximum number of bytes per file, on average, of files that are read together. */
const FILE_BYTES = 2_000_000;

export async function pathsIn(git: Pick<Git, 'texts'>, tree: string): Promise<string[]> {
  const paths: string[] = [];
  await git.texts(
    tree,
    (path) => {
      paths.push(path);
      return false;
    },
    0,
  );
  return paths;
}

/** Returns the texts of files in a tree. Missing files are left out. */
export async function textsOf(
  git: Pick<Git, 'texts'>,
  tree: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const wanted = new Set(paths);
  const texts = await git.texts(tree, (path) => wanted.has(path), wanted.size * FILE_BYTES);
  return new Map(texts.map(({ path, text }) => [path, text]));
}

/** Returns the text of a file in a tree; `null`: there is no such file. */
export async function textOf(git: Pick<Git, 'texts'>, tree: string, path: string): Promise<string | null> {
  return (await textsOf(git, tree, [path])).get(path) ?? null;
}

/**
 * Returns the files with functions that fail when called. Files without functions are left out, and inline tests stay
 * unchanged.
 */
export function withFailingFunctions(texts: ReadonlyMap<string, string>): TextFiles {
  return [...texts].flatMap(([path, text]) => {
    const tests = path.endsWith('.rs') ? inlineTests(text) : '';
    const broken = breakCode(path, text.slice(0, text.length - tests.length));
    return broken === null ? [] : [{ path, text: broken + tests }];
  });
}
