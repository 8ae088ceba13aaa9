import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { look } from '../repository/work-tree.ts';
import { haveSameContent, isCopied } from './whole-file.ts';

/** Where most of the user's index lies when it is split: git reads nothing without it. */
export type SharedIndex = {
  /** Keeps a copy of the file that an index names, if it names one. */
  readonly keep: (index: Buffer) => void;
  /** @returns whether it wasn't what it was, and is so again. */
  readonly restore: () => boolean;
};

/**
 * @param gitDir Where it lies.
 * @param place Folder of the copy, outside of the repository.
 */
export function sharedIndex(gitDir: string, place: string): SharedIndex {
  const copies = () => namesIn(place).filter((name) => name.startsWith('sharedindex.'));
  return {
    keep: (index) => {
      for (const name of copies()) rmSync(join(place, name), { force: true });
      const named = namesAfterLink(index).find((name) => look(join(gitDir, name))?.isFile() === true);
      if (named !== undefined) isCopied(join(gitDir, named), join(place, named), 0o600);
    },
    restore: () =>
      copies().some((name) => {
        const [copy, path] = [join(place, name), join(gitDir, name)];
        if (haveSameContent(copy, path)) return false;
        rmSync(path, { recursive: true, force: true });
        return isCopied(copy, path, 0o644);
      }),
  };
}

/** What stands behind each `link` in an index: the extension of this name holds its length and an id. Paths hold it, too. */
function namesAfterLink(index: Buffer): string[] {
  const names: string[] = [];
  for (let at = index.indexOf('link'); at >= 0; at = index.indexOf('link', at + 1)) {
    const name = `sharedindex.${index.toString('hex', at + 8, at + 28)}`;
    names.push(name, `${name}${index.toString('hex', at + 28, at + 40)}`);
  }
  return names;
}
