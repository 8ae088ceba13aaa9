export type { Effect, EffectKind, HistoryEffect, NetworkEffect, PathEffect, Spot } from './effect.ts';
export { innerCommands } from './inner-commands.ts';
export { looksOnly } from './looks-only.ts';
export { effectsOfAction } from './of-action.ts';
