import { join } from 'node:path';
import { OBJECTS_IN_BOX, type ShownCopy } from '../../../domain/box/box.ts';
import type { HooksRan, WorkBase } from '../../../domain/ports/work.ts';
import { boxOf } from '../../box/index.ts';
import { gitCall } from '../call/environment.ts';
import { objectText } from '../call/git.ts';
import { isWithin, nulList, parsePath, printPath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { pathsBetween } from '../line/replay.ts';
import { readRefs } from '../repository/refs.ts';
import { changedHook, hookAmong } from '../view/changed-hook.ts';
import { hookProblem, isHook } from '../view/hooks.ts';
import { makeAgentGit } from './agent-git.ts';
import { type Filled, makeModules } from './fill-submodules.ts';

/** Those that look at a commit before it is made, and may change it. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg'] as const;

/** Stages the paths of standard input, and commits them: hooks run as at your prompt. */
const SCRIPT = `git=$1 message=$2
"$git" add -A --pathspec-from-file=- --pathspec-file-nul || exit
exec "$git" commit --quiet --allow-empty --no-gpg-sign --cleanup=whitespace -m "$message"`;

type Wanted = {
  readonly base: WorkBase;
  readonly message: string;
  readonly paths: readonly string[];
  /** As the work has them. */
  readonly submodules: readonly Filled[];
};

/** What git asks a remote in, beside a copy. */
export function remoteBox(
  { view }: WorkTree,
  root: string,
  shown: ShownCopy,
  isLocal: boolean,
): ReturnType<typeof boxOf> {
  const place = { cwd: root, env: process.env, visible: [], home: null, agent: '' };
  const box = shown.git === null || isLocal ? null : (view?.box() ?? null);
  return boxOf(box, { role: 'git', ...place, copy: shown });
}

/**
 * Runs the repository's commit hooks on what an attempt left, in a box on the copy, with a git folder that no agent wrote. What they
 * change of files is in the copy then.
 *
 * @param tree Of the copy; `root` is where programs in the box see it.
 */
export async function runCommitHooks(
  tree: WorkTree,
  root: string,
  shown: ShownCopy,
  { base, message, paths, submodules }: Wanted,
): Promise<HooksRan> {
  const { view } = tree;
  if (view === null || !HOOKS.some((name) => isHook(join(view.hooks, name)))) return { kind: 'none' };
  const changed = hookAmong(tree, root, paths);
  if (changed !== null)
    return { kind: 'refused', reason: `your commit hooks run ${changed}, and the task changed it` };
  const { git } = shown;
  // Without a box an agent can write those that lie in your git folder; all others are the copy's.
  const planted = git === null ? changedHook({ ...tree, top: root }, isOutside) : null;
  if (planted !== null)
    return { kind: 'refused', reason: `your commit hook ${planted} has changed since ralph started` };
  const folder = join(shown.folder, 'commit-git');
  const objects = git === null ? join(tree.commonDir, 'objects') : OBJECTS_IN_BOX;
  await makeAgentGit(tree, { folder, index: join(shown.folder, 'index'), objects, base });
  await makeModules({ ...tree, top: root }, submodules, { ...shown, git: folder, isBoxed: git !== null });
  // What lies in a submodule is none of this commit.
  const own = paths
    .map(parsePath)
    .filter((path) => !submodules.some((one) => isWithin(path, one.path) && path !== one.path));
  const place = { cwd: root, env: process.env, visible: [], home: null, agent: '' };
  const copy = git === null ? undefined : { ...shown, git: { ...git, folder } };
  const box = boxOf(git === null ? null : view.box(), { role: 'git', ...place, copy });
  const call = gitCall({ kind: 'question', folder: git === null ? shown.files : root });
  if (call.program.kind === 'missing') return { kind: 'refused', reason: call.program.message };
  try {
    const argv = ['/bin/sh', '-c', SCRIPT, 'sh', call.program.path, message];
    const env = (isBoxed: boolean) => ({
      ...(isBoxed ? {} : { GIT_DIR: folder, GIT_WORK_TREE: shown.files }),
      ...{ GIT_LITERAL_PATHSPECS: '1', GIT_EDITOR: ':' },
    });
    const why = await hookProblem(box, argv, { call, env, input: nulList(own) });
    if (why !== null) return { kind: 'refused', reason: `its commit hooks ${why}` };
    const made = { ...tree, gitDir: folder, commonDir: folder };
    const { head } = await readRefs(made);
    const withMade = { ...tree, alternates: [join(folder, 'objects')] };
    const shownAs = ['show', '-s', '--format=%T%n%B', head ?? base.commit];
    const [treeId = '', ...words] = (await objectText(withMade, shownAs)).split('\n');
    const committed = new Set(await pathsBetween(withMade, base.tree, treeId));
    const tookOut = own.filter((path) => !committed.has(path)).map(printPath);
    return { kind: 'ran', message: words.join('\n'), tree: treeId, tookOut };
  } finally {
    box.close();
  }
}

/** Whether a path relative to the top of a work tree isn't one of its files. */
function isOutside(path: string): boolean {
  return path.startsWith('.git/') || path.startsWith('../');
}
