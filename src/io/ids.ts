import { createHash, randomInt } from 'node:crypto';
import type { Ids } from '../domain/ports.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** SHA-256 in hex; a text counts as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Ids from the machine's random numbers. */
export function systemIds(): Ids {
  return {
    random: (length) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    sha256,
  };
}
