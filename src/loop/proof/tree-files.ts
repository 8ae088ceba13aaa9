import type { Git } from '../../domain/ports.ts';

/** Bytes of one file that is read. */
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

/** The text of a file of a tree; `null`: there is none. */
export async function textOf(git: Pick<Git, 'texts'>, tree: string, path: string): Promise<string | null> {
  const [found] = await git.texts(tree, (one) => one === path, FILE_BYTES);
  return found?.text ?? null;
}
