import { ownProgram } from '../programs/start/own-program.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';

/** Prefers a program outside the repository, where agents may write to PATH. Fixed while ralph runs. */
export function agentProgram(name: string, cwd: string, env: Environment): string {
  if (name.includes('/') || env.PATH !== process.env.PATH) return name;
  const found = ownProgram(name, cwd);
  return found.kind === 'found' ? found.path : name;
}
