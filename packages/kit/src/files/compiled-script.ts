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
import { tryOr } from '../try-or.ts';
import { xdgFolder } from './homes-folder.ts';
import { keepNewest } from './keep-newest.ts';

/** Number of compiled scripts kept, as versions of ralph and Node may alternate. */
const KEPT = 4;

export function compiledFolder(): string {
  return join(xdgFolder('XDG_CACHE_HOME', '.cache'), 'compiled');
}

/** Node rejects code compiled by another version or for another processor. */
function fileOf(name: string): string {
  return join(compiledFolder(), `${name}-${process.version}-${process.arch}`);
}

/**
 * Returns a script's code from `keepCompiled`, or `null`. It is executed as it is, so files that another user owns or
 * may write are ignored.
 * @param name Derived from the script's content.
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

/** Keeps compiled code for the next start. Failure isn't an error: the next start compiles again. */
export function keepCompiled(name: string, compiled: Uint8Array): void {
  const [folder, made] = [compiledFolder(), `${fileOf(name)}.${process.pid}`];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(lstatSync(folder))) return;
    const file = openSync(made, 'wx', 0o600);
    try {
      writeFileSync(file, compiled);
      // Node doesn't notice when a power failure truncated the file.
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
 * Lets Node cache the compiled code of modules loaded from now on.
 * @param name Differs for each build; caches of older builds are removed.
 * @param keep Node's function that enables the cache in a folder.
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
