import { ownProgram } from 'ralph-kit/programs/start/own-program';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';

/** Prefers a program outside the repository, where agents may write to PATH. Fixed while ralph runs. */
export function agentProgram(name: string, cwd: string, env: Environment): string {
  if (name.includes('/') || env.PATH !== process.env.PATH) return name;
  const found = ownProgram(name, cwd);
  return found.kind === 'found' ? found.path : name;
}
