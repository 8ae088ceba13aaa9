import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replacement without the protection: a link or pipe with the file's name is written through. */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content);
}

export function replaceFile(
  path: string,
  content: string | Uint8Array,
  { folderMode }: { readonly folderMode?: number } = {},
): void {
  if (folderMode !== undefined) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export function linkNew(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  linkSync(from, to);
  return true;
}

export const syncFolder = (): void => undefined;
export const temporaryOwner = (): null => null;
export const temporaryName = (name: string): string => `.${name}.tmp`;
