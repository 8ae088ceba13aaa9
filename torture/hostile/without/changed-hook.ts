export const changedHook = (): string | null => null;
export const hookAmong = (): string | null => null;
export const readHookFiles = (): ReadonlyMap<string, string> => new Map();
