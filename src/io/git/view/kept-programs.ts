import { copyFileSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Setting } from '../../box/config-text.ts';

/** Settings whose value is a command: what filters, signs, asks for a password or connects. */
const COMMAND =
  /^(?:filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?program|core\.(?:sshcommand|askpass)|credential\.(?:.*\.)?helper)$/s;
/** A word of a command, between what ends one in a shell. */
const WORD = /[^!\s'"`;|&()<>=$]+/g;
/** Ends where a program that reads a script expects it. */
const BEFORE_SCRIPT =
  /(?:^|[\s;|&(/])(?:(?:ba|da|z|k)?sh|\.|source|node|deno|bun|python[\d.]*|perl|ruby|awk)\s+(?:-\S+\s+)*["']?$/;
/** For its owner. */
const EXECUTABLE = 0o100;
/** Put into a command as they are. */
const SAFE_PATH = /^[\w@%+:,./-]+$/;

/**
 * Settings that name a program in the work tree start a copy of it from now on: what an agent wrote lands there, and ralph's git
 * would run it.
 *
 * @param folder For the copies, outside of the repository.
 */
export function keepPrograms(settings: readonly Setting[], top: string, folder: string): Setting[] {
  return settings.map((setting) => {
    const { key, value } = setting;
    if (value === null || !COMMAND.test(key)) return setting;
    const kept = value.replaceAll(WORD, (word, at: number) => {
      const isScript = BEFORE_SCRIPT.test(value.slice(0, at));
      return copyOf(word, isScript, top, folder) ?? word;
    });
    return { ...setting, value: kept };
  });
}

/**
 * The copy of the program or script that a word names, one character per byte as in settings; `null` where it names
 * none: what a program only reads or writes stays where it is.
 */
function copyOf(word: string, isScript: boolean, top: string, folder: string): string | null {
  // Any other word is a program of PATH, or no file at all.
  if (!/[./]/.test(word)) return null;
  const path = resolve(top, Buffer.from(word, 'latin1').toString('utf8'));
  try {
    const stat = statSync(path);
    if (!realpathSync(path).startsWith(`${top}${sep}`) || !stat.isFile()) return null;
    if (!isScript && (stat.mode & EXECUTABLE) === 0) return null;
    const copy = join(folder, relative(top, path));
    if (!SAFE_PATH.test(copy)) return null;
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    copyFileSync(path, copy);
    return copy;
  } catch {
    return null;
  }
}
