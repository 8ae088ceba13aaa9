import { type BytePath, printPath } from '../call/git-path.ts';
import { absolute, look, type WorkTree } from '../repository/work-tree.ts';

export type SnapshotSettings = {
  /** Patterns of ignored files that count all the same. @see gitglossary(7), pathspec, "glob" */
  readonly includeIgnored: readonly string[];
  /** A larger file is not stored but refused; 0: no limit. */
  readonly maxFileBytes: number;
};

/** A file that the settings forbid to store; the message names it and what to do. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** @throws FileTooLarge */
export function refuseLarge(tree: WorkTree, paths: readonly BytePath[], limit: number): void {
  if (limit === 0) return;
  for (const path of paths) {
    const found = look(absolute(tree, path));
    if (found?.isFile() !== true || found.size <= BigInt(limit)) continue;
    const size = `${(Number(found.size) / 1024 / 1024).toFixed(0)} MiB`;
    throw new FileTooLarge(
      `${printPath(path)} has ${size}, more than [snapshot] max_file_mb allows (${limit / 1024 / 1024}). Name it in .gitignore, or raise the limit.`,
    );
  }
}
