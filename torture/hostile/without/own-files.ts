export const ownFolders = (): Map<string, boolean> => new Map();
export const ownPaths = (): string[] => [];
export const configPaths = (): string[] => [];
export const otherPaths = (): string[] => [];
