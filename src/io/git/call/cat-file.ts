import { objectGit } from './git.ts';
import type { WorkTree } from './work-tree.ts';

export type ReadObject = { readonly id: string; readonly kind: string; readonly content: Buffer };

export type ReadObjects = {
  /** In the order in which they were asked for; `null`: there is none with this name. */
  readonly objects: readonly (ReadObject | null)[];
  /** They are more than `maxBytes` together: what comes behind is left out, and the last may be cut. */
  readonly cut: boolean;
};

/**
 * Reads objects in one call.
 *
 * @param names As `git rev-parse` takes them, one character per byte, without a line end.
 * @throws GitError
 */
export async function readObjects(
  tree: WorkTree,
  names: readonly string[],
  maxBytes?: number,
): Promise<ReadObjects> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const { stdout, cut } = await objectGit(tree, ['cat-file', '--batch'], { input, maxBytes });
  const objects: (ReadObject | null)[] = [];
  for (let at = 0; at < stdout.length; ) {
    const line = stdout.indexOf(0x0a, at);
    const end = line < 0 ? stdout.length : line;
    const [, id = '', kind = '', size] =
      /^([0-9a-f]+) (\w+) (\d+)$/.exec(stdout.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (size === undefined) {
      objects.push(null);
      continue;
    }
    objects.push({ id, kind, content: stdout.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return { objects, cut };
}
