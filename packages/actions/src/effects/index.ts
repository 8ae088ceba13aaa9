export { credentialsAt } from './credentials.ts';
export type { Effect, EffectKind, NetworkEffect, PathEffect, Spot } from './effect.ts';
export { effectsOfAction } from './of-action.ts';
export { BARE_PROGRAMS } from './programs.ts';
export { readsOnly } from './reads-only.ts';
