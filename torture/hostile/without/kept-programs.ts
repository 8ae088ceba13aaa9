export const keepPrograms = <T>(settings: T): T => settings;
