import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Replacement without the protection: the first program in PATH is used, even where agents can write. */
export function ownProgram(name: string): { readonly kind: 'found'; readonly path: string } {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const folder = folders.find((one) => existsSync(join(one, name))) ?? '/nonexistent';
  return { kind: 'found', path: join(folder, name) };
}
export const ownProgramPath = (name: string): string => ownProgram(name).path;
export const ownPath = (): string | undefined => process.env.PATH;
