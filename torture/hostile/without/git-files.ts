export const gitFilesOf = () => async () => ({ files: [], folders: [] });
export const filesIn = (): string[] => [];
