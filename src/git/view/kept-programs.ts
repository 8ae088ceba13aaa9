import { copyFileSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Setting } from 'ralph-kit/formats/git-config';

/** Settings whose value is a command: filters, signing, passwords, connections. */
const COMMAND =
  /^(?:filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?program|core\.(?:sshcommand|askpass)|credential\.(?:.*\.)?helper)$/s;
/** Word of a command, between shell separators. */
const WORD = /[^!\s'"`;|&()<>=$]+/g;
/** Ends where an interpreter expects its script. */
const BEFORE_SCRIPT =
  /(?:^|[\s;|&(/])(?:(?:ba|da|z|k)?sh|\.|source|node|deno|bun|python[\d.]*|perl|ruby|awk)\s+(?:-\S+\s+)*["']?$/;
/** Owner's execute bit. */
const EXECUTABLE = 0o100;
/** Paths that need no quoting in a command. */
const SAFE_PATH = /^[\w@%+:,./-]+$/;

/**
 * Makes settings that name a program in the work tree use a copy: an agent's version would land there, and ralph's
 * git would run it.
 * @param folder For the copies, outside the repository.
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

/** Copies the program or script that a word names (latin1); `null` for others, such as data files. */
function copyOf(word: string, isScript: boolean, top: string, folder: string): string | null {
  // Other words are programs of PATH or no files.
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
