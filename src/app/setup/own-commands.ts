import { runsRepository } from '../../decide/index.ts';
import { openGateFiles } from '../../io/proc/gate-files.ts';

/** Tells which command lines run something of a repository, as it is in the checkout. */
export function ownCommands(root: string, env: NodeJS.ProcessEnv): (command: string) => boolean {
  const files = openGateFiles({ root, env, at: (path) => path });
  return (command) => runsRepository(command, root, files);
}
