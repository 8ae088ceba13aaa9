export { openGit } from './open-git.ts';
export { GitError } from './run-git.ts';
