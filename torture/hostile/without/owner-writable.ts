export const openFolders = (): void => undefined;
