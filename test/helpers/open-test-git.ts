import type { Git } from '../../src/domain/ports.ts';
import { openGit } from '../../src/io/git/index.ts';

/** The git port of a repository that can be opened. */
export async function openTestGit(root: string): Promise<Git> {
  const opened = await openGit({ root });
  if (!opened.ok) throw new Error(opened.message);
  return opened.git();
}
