export { openGit } from './open-git.ts';
