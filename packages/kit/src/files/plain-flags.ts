import { constants } from 'node:fs';

/** Opening never waits: an ordinary open of a pipe without a writer would never return, not even on Ctrl-C. */
export const PLAIN: number = constants.O_NONBLOCK;
