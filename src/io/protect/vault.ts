import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../domain/ports.ts';
import { sha256 } from '../ids.ts';
import { namesIn } from '../names-in.ts';
import { replaceFile } from '../store/files/atomic-file.ts';
import { readPlainFile } from '../store/files/plain-file.ts';

/** Contents of protected files by their SHA-256, outside of the repository. */
export type Vault = {
  /** Keeps content and names it; what is kept already costs a hash. @throws The Node error. */
  readonly keep: (bytes: Uint8Array) => string;
  /** @throws StoreError when it is gone or isn't what it was. */
  readonly read: (hash: string) => Buffer;
  /** Forgets everything but these. */
  readonly retain: (hashes: ReadonlySet<string>) => void;
};

/**
 * Nothing is forced to the disk: this is for `kill -9`, not for a power failure. What this process kept stays in
 * memory too, so that it can be restored when the folder is lost.
 */
export function openVault(folder: string): Vault {
  const memory = new Map<string, Buffer>();
  return {
    keep: (bytes) => {
      const hash = sha256(bytes);
      if (memory.has(hash)) return hash;
      const path = join(folder, hash);
      if (lstatSync(path, { throwIfNoEntry: false })?.size !== bytes.length)
        replaceFile(path, bytes, { mode: 0o600, durability: 'none', folderMode: 0o700 });
      memory.set(hash, Buffer.from(bytes));
      return hash;
    },
    read: (hash) => {
      const known = memory.get(hash);
      if (known !== undefined) return known;
      const file = readPlainFile(join(folder, hash));
      if (file.kind === 'file' && sha256(file.bytes) === hash) return file.bytes;
      throw new StoreError(
        `What ralph kept of this repository is damaged: ${join(folder, hash)} is ${file.kind === 'file' ? 'not what it was' : file.kind}. Check your files with \`git status\`, remove that folder, then run again.`,
      );
    },
    retain: (hashes) => {
      for (const name of memory.keys()) if (!hashes.has(name)) memory.delete(name);
      for (const name of namesIn(folder))
        if (!hashes.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
    },
  };
}
