import { accessSync, constants, existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shellQuote } from '../shell-quote.ts';
import { whyUnreadable } from './plain-file.ts';

/**
 * Returns the command that lets you read or write a file: it gives you rights, makes the missing folder, or moves
 * away what blocks the path. `null`: none of these would help.
 */
export function accessCommand(path: string, want: 'read' | 'write'): string | null {
  for (const folder of foldersOf(path)) {
    const stat = statOf(folder);
    if (stat === null) return want === 'write' ? `mkdir -p ${shellQuote(dirname(path))}` : null;
    if (!stat.isDirectory()) return movedAway(folder);
    if (!may(folder, constants.X_OK)) return rightsTo(folder, stat);
  }
  const parent = dirname(path);
  const stat = statOf(path);
  if (want === 'write' && !may(parent, constants.W_OK)) return rightsTo(parent, statSync(parent));
  if (stat === null) return null;
  if (!stat.isFile()) return movedAway(path);
  return want === 'read' && !may(path, constants.R_OK) ? rightsTo(path, stat) : null;
}

/** Returns why a file can't be written, as the end of a sentence about it. */
export function whyUnwritable(path: string, error: unknown): string {
  return existsSync(dirname(path)) ? whyUnreadable(error) : `there is no folder ${dirname(path)}`;
}

/** Returns the folders above a path, the top first. */
function foldersOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersOf(above), above];
}

/** Returns what is there; of a link that leads nowhere, or to itself, the link. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch (error) {
    // Rights aren't the cause of a read-only file system.
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function movedAway(path: string): string {
  return `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`;
}

function rightsTo(path: string, stat: Stats): string {
  const name = shellQuote(path);
  return stat.uid === process.getuid?.()
    ? `chmod ${stat.isDirectory() ? 'u+rwx' : 'u+rw'} ${name}`
    : `sudo chown -R "$(id -un)" ${name}`;
}
