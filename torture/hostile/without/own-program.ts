import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first in PATH, wherever it lies. */
export function ownProgram(name: string): { readonly kind: 'found'; readonly path: string } {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const folder = folders.find((one) => existsSync(join(one, name))) ?? '/nonexistent';
  return { kind: 'found', path: join(folder, name) };
}
export const ownProgramPath = (name: string): string => ownProgram(name).path;
export const ownPath = (): string | undefined => process.env.PATH;
