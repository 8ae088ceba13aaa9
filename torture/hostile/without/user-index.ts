import type * as real from '../../../src/io/git/protect/user-index.ts';

/** What is in your index is the agent's. */
export const protectIndex: typeof real.protectIndex = () => ({
  capture: () => null,
  restore: async () => null,
  restage: async () => [],
  forget: () => undefined,
});
