import { join, relative } from 'node:path';
import { resolveExecutable } from 'ralph-kit/programs/start/resolve-executable';
import { shellQuote } from 'ralph-kit/shell-quote';
import { packageTop } from '../io/package-top.ts';

/**
 * If the text has ralph commands and `ralph` isn't on the PATH, as after `npx --package FILE ralph`, returns a sentence
 * on how to run ralph; otherwise ''.
 */
export function calledAs(text: string): string {
  if (!/\bralph [a-z-]/.test(text)) return '';
  if (resolveExecutable('ralph', process.cwd(), process.env).kind === 'found') return '';
  const program = join(packageTop(), 'bin', 'ralph.js');
  const near = relative(process.cwd(), program);
  const shown = near.startsWith('..') ? program : near;
  return `ralph isn't on your PATH. Type in its place: node ${shellQuote(shown)}`;
}
