import { ownProgram } from '../programs/start/own-program.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';

/**
 * What an agent's name stands for: an agent can write into a folder of PATH in the repository, and would be another one
 * the next time. So what is installed outside comes first, and what it is stays the same as long as ralph runs.
 */
export function agentProgram(name: string, cwd: string, env: Environment): string {
  if (name.includes('/') || env.PATH !== process.env.PATH) return name;
  const found = ownProgram(name, cwd);
  return found.kind === 'found' ? found.path : name;
}
