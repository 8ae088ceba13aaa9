import { constants } from 'node:fs';

/** Opening never waits: an ordinary open of a pipe that nothing writes to would not return, to Ctrl-C neither. */
export const PLAIN: number = constants.O_NONBLOCK;
