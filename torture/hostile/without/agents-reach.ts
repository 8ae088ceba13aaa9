/** Replacement without the protection: programs may be started even where agents can write. */
export const agentsReach = (): null => null;
