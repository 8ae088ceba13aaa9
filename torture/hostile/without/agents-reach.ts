/** Whatever lies where agents write may be started. */
export const agentsReach = (): null => null;
