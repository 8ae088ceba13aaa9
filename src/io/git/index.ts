import type { Porcelain } from './porcelain.ts';

export { type Blocker, findBlocker } from './call/blocker.ts';
export { copiedFrom } from './copies/copied-from.ts';
export { takeIgnored } from './copies/take-ignored.ts';
export { commitAll } from './repository/commit-all.ts';
export { type FoundWorkTree, findWorkTree, workTreeTops } from './repository/find-work-tree.ts';
export { locate, versionProblem } from './repository/locate.ts';
export { operationInProgress } from './repository/operations.ts';
export { scratchClone } from './repository/scratch-clone.ts';
export { FileTooLarge } from './snapshot/snapshot-settings.ts';

/** Opens the repository around a folder; loaded late, as commands that only read need none of it. @see openGit */
export async function openGit(place: { readonly root: string }) {
  return (await import('./open-git.ts')).openGit(place);
}

/** Questions about the repository around an existing folder; loaded late like `openGit`. @see openPorcelain */
export async function openPorcelain(folder: string): Promise<Porcelain> {
  return (await import('./porcelain.ts')).openPorcelain(folder);
}
