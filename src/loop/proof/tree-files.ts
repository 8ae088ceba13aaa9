import type { Git, TextFiles } from '../../domain/ports.ts';
import { breakCode, inlineTests } from '../../proof/shown/index.ts';

/** Bytes of one file that is read, on average over those that are read together. */
const FILE_BYTES = 2_000_000;

/** Paths of all files of a tree. */
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

/** The texts of files of a tree by path, as far as they are there. */
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

/** The text of a file of a tree; `null`: there is none. */
export async function textOf(git: Pick<Git, 'texts'>, tree: string, path: string): Promise<string | null> {
  return (await textsOf(git, tree, [path])).get(path) ?? null;
}

/** Files of which each function fails as it is called; without those that have none. Tests that stand in the file that they test stay as they are. */
export function failingAsCalled(texts: ReadonlyMap<string, string>): TextFiles {
  return [...texts].flatMap(([path, text]) => {
    const tests = path.endsWith('.rs') ? inlineTests(text) : '';
    const broken = breakCode(path, text.slice(0, text.length - tests.length));
    return broken === null ? [] : [{ path, text: broken + tests }];
  });
}
