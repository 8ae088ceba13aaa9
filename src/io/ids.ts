import { randomInt } from 'node:crypto';
import { sha256 } from 'ralph-kit/files/sha256';
import type { Ids } from '../domain/ports.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function systemIds(): Ids {
  return {
    random: (length) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    sha256,
  };
}
