import { join, relative } from 'node:path';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { SubmoduleBrought } from '../../domain/ports/git.ts';
import { gitCall } from '../call/environment.ts';
import { objectText } from '../call/git.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { gitOr, runGit } from '../call/run-git.ts';
import { absolute, type WorkTree } from '../call/work-tree.ts';
import { revision } from '../objects/questions.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';
import { bundleCommit, hasCommit, usersModule, withSubmodules } from '../submodules/objects.ts';

/** Moves clean submodules of your checkout that have the commit, like `git submodule update`; no others. */
export async function moveSubmodules(
  tree: WorkTree,
  changes: readonly RawChange[],
): Promise<SubmoduleBrought[]> {
  const moved: SubmoduleBrought[] = [];
  for (const { path, oldMode, newMode, newOid, oldOid } of changes) {
    if (newMode !== GITLINK) continue;
    const before = oldMode === GITLINK ? oldOid : null;
    moved.push({ path: printPath(path), commit: newOid, needs: await move(tree, path, before, newOid) });
  }
  return moved;
}

/** Returns the command for you when ralph can't move the submodule, else `null`. */
async function move(
  tree: WorkTree,
  path: BytePath,
  before: string | null,
  commit: string,
): Promise<string | null> {
  const top = absolute(tree, path).toString('utf8');
  const name = shellQuote(printPath(path));
  const module = usersModule(top);
  if (module === null) {
    const entry = shellQuote(`160000,${commit},${printPath(path)}`);
    return `git update-index --add --cacheinfo ${entry} && git submodule update --init ${name}`;
  }
  const own = { ...tree, ownFolder: null, top, gitDir: module, commonDir: module, view: null };
  const checkout = `git -C ${name} checkout ${commit}`;
  if (await hasCommit(own, commit)) {
    const isMoved = async (from: string) => (await isUntouched(own, from)) && (await switchTo(own, commit));
    return before !== null && (await gitOr(false, () => isMoved(before))) ? null : checkout;
  }
  const file = join(tree.commonDir, 'ralph', 'submodules', `${commit}.bundle`);
  const isKept = await hasCommit(withSubmodules(tree), commit);
  const kept = isKept ? await bundleCommit(tree, commit, { known: before, file }) : null;
  const from = kept === null ? '' : ` ${shellQuote(relative(top, file))} ${kept}`;
  return `git -C ${name} fetch${from} && ${checkout}`;
}

async function isUntouched(own: WorkTree, commit: string): Promise<boolean> {
  if ((await revision(own, 'HEAD')) !== commit) return false;
  return (await objectText(own, ['status', '--porcelain', '--ignore-submodules=none'])) === '';
}

async function switchTo(own: WorkTree, commit: string): Promise<boolean> {
  const call = gitCall({ kind: 'user', tree: own, hooks: '/dev/null' });
  await runGit(call, ['checkout', '--quiet', '--detach', commit]);
  return true;
}
