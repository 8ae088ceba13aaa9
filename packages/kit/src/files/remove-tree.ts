import { chmodSync, lstatSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';

/**
 * Removes a file or folder, also with folders that lack permissions: programs make such, and the kernel for layers.
 * File modes stay, as a file may have a second name. A missing path isn't an error.
 * @throws The Node error
 */
export function removeTree(path: string | Buffer): void {
  const at = Buffer.from(path);
  try {
    remove(at);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EACCES', 'EPERM'].includes(code)) openFolders(at);
    // Something else changed the folder at the same time.
    else if (!['ENOENT', 'ENOTEMPTY', 'ENOTDIR'].includes(code)) throw error;
    rmSync(at, { recursive: true, force: true });
  }
}

/** Removes a file, a link or a folder with its content, by a third of the system calls that `rmSync` takes. */
function remove(path: Buffer): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) removeFolder(path);
  else if (found !== undefined) unlinkSync(path);
}

function removeFolder(folder: Buffer): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
    if (entry.isDirectory()) removeFolder(path);
    else unlinkSync(path);
  }
  rmdirSync(folder);
}

function openFolders(path: Buffer): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path, { encoding: 'buffer' }))
    openFolders(Buffer.concat([path, Buffer.from('/'), name]));
}
