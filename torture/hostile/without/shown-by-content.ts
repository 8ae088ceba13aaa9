/** What attributes say of a file, wherever they come from, is how diffs show it. */
export const SHOWN_BY_CONTENT = '';
