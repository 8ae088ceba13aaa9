export { NO_HANDLERS, openHandlers } from './open-handlers.ts';
