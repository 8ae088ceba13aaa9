import { runsRepository } from '../../decide/index.ts';
import { openGateFiles } from '../../io/proc/gate-files.ts';

/** Returns a test for command lines that run a file of the repository's checkout. */
export function ownCommands(root: string, env: NodeJS.ProcessEnv): (command: string) => boolean {
  const files = openGateFiles({ root, env, at: (path) => path });
  return (command) => runsRepository(command, root, files);
}
