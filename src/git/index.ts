import type { Porcelain } from './porcelain.ts';

export { type Blocker, findBlocker } from './call/blocker.ts';
export { copiedFrom, takeIgnored } from './copies/copied-from.ts';
export {
  type FoundWorkTree,
  findWorkTree,
  operationInProgress,
  workTreeTops,
} from './repository/find-work-tree.ts';
export { hasIdentity, locate, versionProblem } from './repository/locate.ts';
export { commitAll, fetchRefs, scratchClone } from './repository/scratch-clone.ts';
export { FileTooLarge } from './snapshot/snapshot.ts';

/** Loads git support late, as commands that only read don't need it. @see openGit */
export async function openGit(place: { readonly root: string }) {
  return (await import('./open-git.ts')).openGit(place);
}

/** Loads late, like `openGit`. @see openPorcelain */
export async function openPorcelain(folder: string): Promise<Porcelain> {
  return (await import('./porcelain.ts')).openPorcelain(folder);
}
