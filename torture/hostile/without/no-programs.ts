export const NO_PROGRAMS: string[] = [];
