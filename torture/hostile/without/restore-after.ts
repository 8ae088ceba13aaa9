import type * as real from '../../../src/loop/iteration/restore-after.ts';

/** What is protected is looked at after the agent alone. */
export const restoreAfter: typeof real.restoreAfter = async ({ ports: { proc } }, { protection }, culprit) =>
  culprit === 'agent' ? (await protection.restore(proc.isBoxed)).restored : [];
export const factsOfRestored: typeof real.factsOfRestored = () => ({ tampering: [], restored: [] });
