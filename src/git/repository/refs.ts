import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RefsNow } from '../../domain/ports.ts';
import { objectText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { openRefs } from '../objects/refs.ts';

/** ralph's own refs don't show what an agent did. */
const OWN = 'refs/ralph/';

/** Reads git's own files, as no git may run in an agent's git folder. Git is asked when refs are in a table. */
export async function readRefs(tree: WorkTree): Promise<RefsNow> {
  if (existsSync(join(tree.commonDir, 'reftable'))) return refsOfGit(tree);
  const refs = openRefs(tree);
  const all = [...refs.below(['refs/'])].filter(([name]) => !name.startsWith(OWN) && !refs.isSymbolic(name));
  return { head: refs.resolve('HEAD'), refs: new Map(all) };
}

async function refsOfGit(tree: WorkTree): Promise<RefsNow> {
  const lines = (await objectText(tree, ['show-ref', '--head'], { answers: [1] })).split('\n');
  const all = new Map(
    lines.map((line): [string, string] => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0] ?? '']),
  );
  const refs = [...all].filter(([name]) => name.startsWith('refs/') && !name.startsWith(OWN));
  return { head: all.get('HEAD') ?? null, refs: new Map(refs) };
}

export async function checkedOutIn(tree: WorkTree, ref: string): Promise<string | null> {
  // A view has no HEAD, so the repository itself is asked.
  const listed = await objectText({ ...tree, view: null }, ['worktree', 'list', '--porcelain']);
  const shown = listed.split('\n\n').find((one) => one.split('\n').includes(`branch ${ref}`));
  return shown === undefined ? null : (/^worktree (.*)$/m.exec(shown)?.[1] ?? 'another place');
}
