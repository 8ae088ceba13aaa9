import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';

/**
 * Removes a file or folder, also where folders in it may not be read or written: programs make such, and so does the
 * kernel for layers. Modes of files stay: they may have a second name elsewhere.
 */
export function removeTree(path: Buffer): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    openFolders(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function openFolders(path: Buffer): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path, { encoding: 'buffer' }))
    openFolders(Buffer.concat([path, Buffer.from('/'), name]));
}
