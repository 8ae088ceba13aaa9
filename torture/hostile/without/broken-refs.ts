export const removeBrokenRefs = (): Promise<never[]> => Promise.resolve([]);
