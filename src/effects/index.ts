export type { Effect, PathEffect, Spot } from './effect.ts';
export { looksOnly } from './looks-only.ts';
export { effectsOfAction } from './of-action.ts';
