import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OBJECTS_IN_BOX, type Showing } from '../../../domain/box/box.ts';
import type { TreeCopy } from '../../../domain/ports/git.ts';
import { ownRepository } from '../repository/own-repository.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { makeAgentGit } from './agent-git.ts';
import { removeTree } from './remove-tree.ts';
import { makeSeed } from './seed.ts';
import { fillSlot, makeMountPoints } from './slot.ts';

/** Copies of one work tree, each in a slot that is used again. */
export type Slots = {
  /** A copy that holds a tree, until it is closed. @throws GitError */
  readonly open: (treeId: string) => Promise<TreeCopy>;
};

/** How copies are made. */
export type CopyPlan = {
  /** How one that lies below a folder is shown. */
  readonly showing: (place: string) => Showing;
  /** Files of the checkout, absolute, that are none of a copy: they are shown as they are, and a second name of one is refused. */
  readonly leftOut: () => readonly string[];
};

export function openSlots(tree: WorkTree, stateHome: string, plan: CopyPlan): Slots {
  const inUse = new Set<number>();
  let place: string | null = null;
  let isSeeded = false;
  return {
    open: async (treeId) => {
      place ??= openPlace(tree, stateHome);
      let number = 1;
      while (inUse.has(number)) number += 1;
      inUse.add(number);
      try {
        const folder = join(place, String(number));
        const seed = join(place, 'seed');
        const how = plan.showing(place);
        const leftOut = plan.leftOut();
        const filled = await fillSlot(tree, folder, treeId, how === 'whole' ? leftOut : null);
        if (how === 'layers' && !isSeeded) await makeSeed(tree, join(folder, 'index'), seed, leftOut);
        isSeeded = true;
        const files = join(folder, 'files');
        const git = how === 'elsewhere' ? null : join(folder, 'git');
        if (git === null) await ownRepository(tree.top, files);
        else {
          makeMountPoints(tree, files);
          await makeAgentGit(tree, git, join(folder, 'index'), OBJECTS_IN_BOX);
        }
        return {
          shown: {
            ...{ files, seed: how === 'layers' ? seed : null, folder },
            git: git === null ? null : { folder: git, objects: join(tree.commonDir, 'objects') },
          },
          ...filled,
          close: () => void inUse.delete(number),
        };
      } catch (error) {
        inUse.delete(number);
        throw error;
      }
    },
  };
}

/** Where slots lie: on the disk of the checkout, or nothing of it could get a second name. */
function openPlace(tree: WorkTree, stateHome: string): string {
  const { top, gitDir, commonDir } = tree;
  mkdirSync(stateHome, { recursive: true, mode: 0o700 });
  const base = statSync(stateHome).dev === statSync(top).dev ? stateHome : join(commonDir, 'ralph');
  const place = join(base, 'slots', gitDir === commonDir ? 'main' : basename(gitDir));
  const { dev, ino } = statSync(gitDir);
  const owner = `${dev} ${ino}\n`;
  const file = join(place, 'of');
  const known =
    lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null;
  // A repository that was made anew at this path has nothing in common with the old one.
  if (known !== owner) removeTree(Buffer.from(place));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  writeFileSync(file, owner, { mode: 0o600 });
  return place;
}
