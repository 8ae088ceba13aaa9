import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryName } from '../../files/atomic-file.ts';
import { isSystemError } from '../../files/store-error.ts';
import { privateFolder, type WorkTree } from '../call/work-tree.ts';
import { hasTable } from './refs.ts';

/**
 * Makes a ref that nothing but ralph refers to, as git makes a new one: a file with one line, whole or not there. It takes
 * a process less between two agents.
 *
 * @returns false where git has to do it, or to say why it can't be done: it keeps refs in a table, or there is one.
 */
export function makeOwnRef(tree: WorkTree, name: string, id: string): boolean {
  if (hasTable(tree)) return false;
  const path = join(tree.commonDir, name);
  const temporary = join(privateFolder(tree), temporaryName('ref'));
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, `${id}\n`, { flag: 'wx' });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}
