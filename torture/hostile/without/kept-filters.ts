export const keepFilters = <T>(settings: T): T => settings;
