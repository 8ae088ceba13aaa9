import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/**
 * Whether each object in a pack is what the pack's index says. Git takes that on trust when it reads.
 *
 * @param pack Absolute path without the ending.
 * @throws GitError where git can't be started, or is ended at its limit.
 */
export async function isSoundPack(tree: WorkTree, pack: string): Promise<boolean> {
  const { code } = await objectGit(tree, ['verify-pack', `${pack}.idx`], { answers: [1, 128] });
  return code === 0;
}

/** Git reads none of a pack whose index isn't there yet: a fetch of yours may be writing it. */
export function isWholePack(pack: string): boolean {
  return ['.pack', '.idx'].every((ending) => existsSync(`${pack}${ending}`));
}

/** `pack-….idx` without `.idx`. */
export function withoutEnding(path: string): string {
  return path.replace(/\.\w+$/, '');
}

/** All files of a pack, absolute. */
export function filesOfPack(pack: string): string[] {
  const folder = dirname(pack);
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => withoutEnding(path) === pack);
}
