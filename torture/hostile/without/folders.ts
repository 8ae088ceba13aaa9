export const linkedFolders = (): string[] => [];
export const openFolders = (): void => undefined;
export const clearFolders = (): string[] => [];
