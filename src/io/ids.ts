import { createHash, randomInt } from 'node:crypto';
import type { Ids } from '../domain/ports.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Ids from the machine's random numbers. */
export function systemIds(): Ids {
  return {
    random: (length) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}
