export { type OpenHandlers, openHandlers } from './open-handlers.ts';
