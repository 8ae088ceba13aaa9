import { copyFileSync, statSync, utimesSync } from 'node:fs';

/**
 * Copies an index with its age: git reads files again that are as young as their index, and a younger copy would have it believe that a
 * file of the same size is the same file.
 */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}
