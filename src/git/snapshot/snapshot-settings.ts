import { type BytePath, printPath } from '../call/git-path.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';

export type SnapshotSettings = {
  /** Patterns of ignored files to include. @see gitglossary(7), pathspec, "glob" */
  readonly includeIgnored: readonly string[];
};

/** A file that isn't stored; the message names it and what to do. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** A sparse file takes no space until it is read and stored; in bytes. */
const SPARSE_FROM = 1n << 30n;
const BLOCK = 512n;

/** Refuses sparse files, whose content would fill the disk. @throws FileTooLarge */
export function refuseSparse(tree: WorkTree, paths: readonly BytePath[]): void {
  for (const path of paths) {
    const found = lstatQuietly(absolute(tree, path));
    if (found?.isFile() !== true) continue;
    const size = `${(Number(found.size) / 1024 / 1024).toFixed(0)} MiB`;
    if (found.size < SPARSE_FROM || found.blocks * BLOCK >= found.size / 1000n) continue;
    throw new FileTooLarge(
      `${printPath(path)} has ${size}, but next to nothing of it is on the disk: storing it would fill the disk. Remove it, or name it in .gitignore.`,
    );
  }
}
