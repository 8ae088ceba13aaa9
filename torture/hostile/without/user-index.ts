/** What is in your index is the agent's. */
export const protectIndex = () => ({
  capture: () => null,
  restore: async () => null,
  forget: () => undefined,
});
