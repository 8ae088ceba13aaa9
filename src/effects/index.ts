export type { Effect, PathEffect, Spot } from './effect.ts';
export { innerCommands } from './inner-commands.ts';
export { looksOnly } from './looks-only.ts';
export { effectsOfAction } from './of-action.ts';
