import { resolveExecutable } from './resolve-executable.ts';

/** Whether a program of that name would start in this folder. */
export function isInstalled(name: string, cwd: string): boolean {
  return resolveExecutable(name, cwd, process.env).kind === 'found';
}
