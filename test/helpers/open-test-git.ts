import { join } from 'node:path';
import type { MountMode } from 'ralph-box/protocol';
import type { HooksHow } from '../../src/git/call/work-tree.ts';
import { openGit } from '../../src/git/index.ts';
import type { SnapshotSettings } from '../../src/git/snapshot/snapshot.ts';

/** Opens the git port of a repository; if that fails, the test fails. */
export async function openTestGit(
  root: string,
  settings: Partial<SnapshotSettings> = {},
  showing: MountMode = 'elsewhere',
  runs: HooksHow['runs'] = () => ({ files: [], scripts: [] }),
) {
  const opened = await openGit({ root });
  if (!opened.ok) throw new Error(opened.message);
  const home = join(process.env.XDG_STATE_HOME ?? root, 'ralph-test');
  return opened.git(
    home,
    settings,
    { box: () => null, runs },
    {
      showing: () => showing,
      leftOut: () => [join(root, 'plan.md')],
      seed: [],
      heldOut: () => [],
    },
  );
}
