import { createHash, randomInt } from 'node:crypto';
import type { Ids } from '../domain/ports.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns SHA-256 in hex; text is encoded as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export function systemIds(): Ids {
  return {
    random: (length) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    sha256,
  };
}
