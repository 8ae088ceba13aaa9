export { type Blocker, findBlocker } from './call/blocker.ts';
export { copiedFrom, takeIgnored } from './copies/copied-from.ts';
export { openGit, openPorcelain } from './late.ts';
export {
  type FoundWorkTree,
  findWorkTree,
  operationInProgress,
  workTreeTops,
} from './repository/find-work-tree.ts';
export { locate, versionProblem } from './repository/locate.ts';
export { commitAll, scratchClone } from './repository/scratch-clone.ts';
export { FileTooLarge } from './snapshot/snapshot-settings.ts';
