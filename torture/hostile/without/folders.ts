export const linkedFolders = (): string[] => [];
export const openShut = (): void => undefined;
export const clearFolders = (): string[] => [];
