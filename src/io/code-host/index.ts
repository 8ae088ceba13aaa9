export { codeHostOf, signInProblem } from './code-host.ts';
export { openPullRequest } from './pull-request.ts';
export { pullRequest } from './read-pull-request.ts';
