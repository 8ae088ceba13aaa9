export { ntfyProblem } from './chat/ntfy.ts';
export { telegramProblem } from './chat/telegram.ts';
export { openNotify } from './open-notify.ts';
