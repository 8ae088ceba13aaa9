import { copyFileSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Setting } from './config-text.ts';

const FILTER = /^filter\..*\.(?:clean|smudge|process)$/s;
/** A word of a command, between what ends one in a shell. */
const WORD = /[^\s'"`;|&()<>=$]+/g;
/** Put into a command as they are. */
const SAFE_PATH = /^[\w@%+:,./-]+$/;

/**
 * Filters whose program lies in the work tree start a copy of it from now on: an agent can write there, and ralph's git
 * would run what it wrote.
 *
 * @param folder For the copies, outside of the repository.
 */
export function keepFilters(settings: readonly Setting[], top: string, folder: string): Setting[] {
  return settings.map((setting) => {
    const { key, value } = setting;
    if (value === null || !FILTER.test(key)) return setting;
    const kept = value.replaceAll(WORD, (word) => copyOf(word, top, folder) ?? word);
    return { ...setting, value: kept };
  });
}

/** The copy of the file that a word names, one character per byte as in settings; `null` where it names none. */
function copyOf(word: string, top: string, folder: string): string | null {
  // Any other word is a program of PATH, or no file at all.
  if (!/[./]/.test(word)) return null;
  const path = resolve(top, Buffer.from(word, 'latin1').toString('utf8'));
  try {
    if (!realpathSync(path).startsWith(`${top}${sep}`) || !statSync(path).isFile()) return null;
    const copy = join(folder, relative(top, path));
    if (!SAFE_PATH.test(copy)) return null;
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    copyFileSync(path, copy);
    return copy;
  } catch {
    return null;
  }
}
