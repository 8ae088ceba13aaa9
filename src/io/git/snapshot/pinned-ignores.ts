import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setting } from '../call/git.ts';
import { printPath } from '../call/git-path.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import type { PrivateFiles } from './private-index.ts';

/** Ignore rules outside the work tree, held as they were at the first snapshot of this process. */
export type PinnedIgnores = {
  /** Puts our excludes files back if they were edited; true when `info/exclude` isn't what it was. */
  readonly restore: () => { readonly infoChanged: boolean };
  /** Files to give to `git ls-files -X`, weakest first, in place of `--exclude-standard`. */
  readonly files: readonly string[];
};

/**
 * An agent could hide its files through `.git/info/exclude` or `core.excludesFile` without a trace in the work tree;
 * so both are read once. `.gitignore` files are work like any other and are read as they are.
 */
export async function pinIgnores(tree: WorkTree, files: PrivateFiles): Promise<PinnedIgnores> {
  const infoPath = join(tree.commonDir, 'info', 'exclude');
  const info = read(infoPath);
  const own = tree.ownFolder === null ? '' : `\n/${escapePattern(printPath(tree.ownFolder))}/\n`;
  const excludes = Buffer.concat([read((await userExcludes(tree)) ?? '') ?? Buffer.of(), Buffer.from(own)]);
  const pinned = [
    { file: files.excludes, bytes: excludes },
    { file: files.infoExcludes, bytes: info ?? Buffer.of() },
  ];
  return {
    files: [files.excludes, files.infoExcludes],
    restore: () => {
      mkdirSync(files.folder, { recursive: true, mode: 0o700 });
      for (const { file, bytes } of pinned) {
        if (read(file)?.equals(bytes) !== true) writeFileSync(file, bytes);
      }
      const now = read(infoPath);
      return { infoChanged: !(now ?? Buffer.of()).equals(info ?? Buffer.of()) };
    },
  };
}

/** The user's own ignore file. @see gitignore(5) for the default place */
async function userExcludes(tree: WorkTree): Promise<string> {
  const set = await setting(tree, 'path', 'core.excludesFile');
  if (set !== null) return set;
  const folder = process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? homedir(), '.config');
  return join(folder, 'git', 'ignore');
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, '\\$&');
}
