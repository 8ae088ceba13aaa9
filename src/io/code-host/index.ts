export { codeHostOf, signInProblem } from './code-host.ts';
export { propose } from './pull-request.ts';
