export { type FoundWorkTree, findWorkTree } from './find-work-tree.ts';
export { openGit } from './open-git.ts';
export { GitError } from './run-git.ts';
export { FileTooLarge } from './snapshot-settings.ts';
