import { join } from 'node:path';
import type { Git } from '../../src/domain/ports.ts';
import { openGit } from '../../src/io/git/index.ts';
import type { SnapshotSettings } from '../../src/io/git/snapshot/snapshot-settings.ts';

/** The git port of a repository that can be opened. */
export async function openTestGit(root: string, settings: Partial<SnapshotSettings> = {}): Promise<Git> {
  const opened = await openGit({ root });
  if (!opened.ok) throw new Error(opened.message);
  return opened.git(join(process.env.XDG_STATE_HOME ?? root, 'ralph-test'), settings);
}
