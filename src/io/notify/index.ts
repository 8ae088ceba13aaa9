export { ntfyProblem, telegramProblem } from './chat/problems.ts';
export { openNotify } from './open-notify.ts';
