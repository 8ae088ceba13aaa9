import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../lib/try-or.ts';
import { xdgFolder } from './homes-folder.ts';
import { keepNewest } from './keep-newest.ts';

/** What other versions of ralph or of Node compiled stays, as they may be used in turns. */
const KEPT = 4;

/** The folder of what is compiled: `$XDG_CACHE_HOME/ralph/compiled`, by default below `~/.cache`. */
export function compiledFolder(): string {
  return join(xdgFolder('XDG_CACHE_HOME', '.cache'), 'compiled');
}

/** Node takes nothing that another version, or another kind of processor, compiled. */
function fileOf(name: string): string {
  return join(compiledFolder(), `${name}-${process.version}-${process.arch}`);
}

/**
 * What `keepCompiled` kept of a script, or `null`. It is run as it is, so what another user owns or may write counts as none.
 *
 * @param name By its content: a script that differs has another name.
 */
export function readCompiled(name: string): Buffer | null {
  try {
    if (!isOwn(lstatSync(compiledFolder()))) return null;
    const file = openSync(fileOf(name), 'r');
    try {
      return isOwn(fstatSync(file)) ? readFileSync(file) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Keeps it for the next start. Where that can't be done, the next start compiles again: it is no error. */
export function keepCompiled(name: string, compiled: Uint8Array): void {
  const [folder, made] = [compiledFolder(), `${fileOf(name)}.${process.pid}`];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(lstatSync(folder))) return;
    const file = openSync(made, 'wx', 0o600);
    try {
      writeFileSync(file, compiled);
      // Node doesn't see by itself that a file lost a part of its content with the power.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(made, fileOf(name));
    keepNewest(folder, KEPT);
  } catch {
    tryOr(undefined, () => rmSync(made, { force: true }));
  }
}

/**
 * Has Node keep what it compiles of modules that are loaded from now on, and take it at the next start.
 *
 * @param name Another one for another build of ralph: what an older one left goes.
 * @param keep Node's function for that, which takes a folder.
 */
export function keepModules(name: string, keep: (folder: string) => unknown): void {
  const folder = join(compiledFolder(), `modules-${name}`);
  tryOr(undefined, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (![compiledFolder(), folder].every((one) => isOwn(lstatSync(one)))) return;
    keep(folder);
    keepNewest(compiledFolder(), KEPT);
  });
}
