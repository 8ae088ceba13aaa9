/** Replacement without the protection: git attributes decide how a file is shown in diffs. */
export const SHOWN_BY_CONTENT = '';
