import { join } from 'node:path';
import { peerProcess } from 'ralph-kit/programs/table/peer-process';
import type { Connection } from '../../../io/serve/serve-site.ts';
import { holderIn } from '../../setup/ralph-folder.ts';
import { hasStarted } from '../../setup/refuse-inside.ts';

/**
 * Returns why a program may not decide through the page: a run of one of these repositories started it. `null`: it
 * may, or its origin is unknown.
 */
export async function refuseAgent(
  { from, to }: Connection,
  repositories: readonly { readonly dir: string }[],
): Promise<string | null> {
  const running = repositories.filter(({ dir }) => holderIn(join(dir, '.ralph')) !== null);
  if (running.length === 0) return null;
  const pid = peerProcess(from, to);
  if (pid === null) return null;
  for (const { dir } of running)
    if (await hasStarted(dir, pid)) return "A run started this program, so it can't decide for you.";
  return null;
}
