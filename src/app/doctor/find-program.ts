import { resolveExecutable } from '../../io/proc/launch/resolve-executable.ts';

/** Where a program is that would start in this folder; `null` when none would. */
export function findProgram(name: string, cwd: string): string | null {
  const found = resolveExecutable(name, cwd, process.env);
  return found.kind === 'found' ? found.path : null;
}
