import { existsSync, lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { OBJECTS_IN_BOX, type ShownCopy } from '../../../domain/box/box.ts';
import type { HooksRan, WorkBase } from '../../../domain/ports/work.ts';
import { asSentence, onOneLine } from '../../../lib/text.ts';
import { boxOf } from '../../box/index.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { gitCall } from '../call/environment.ts';
import { indexGit, objectText } from '../call/git.ts';
import { printPath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { pathsBetween } from '../line/replay.ts';
import type { RawChange } from '../objects/raw-change.ts';
import { setChanged } from '../read/index-content.ts';
import { readRefs } from '../repository/refs.ts';
import { changedHook, hookAmong } from '../view/changed-hook.ts';
import { hookProblem } from '../view/hooks.ts';
import { makeAgentGit } from './agent-git.ts';
import { type Filled, makeModules } from './fill-submodules.ts';

/** Those that look at a commit before it is made, and may change it. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg'] as const;

/** Signed is what lands, and its message holds no comments of an editor. */
const COMMIT = ['commit', '--quiet', '--allow-empty', '--no-gpg-sign', '--cleanup=whitespace', '-m'];

type Wanted = {
  readonly base: WorkBase;
  readonly message: string;
  /** The changes from the base commit that are staged before the hooks run. */
  readonly changes: readonly RawChange[];
  /** As the work has them. */
  readonly submodules: readonly Filled[];
};

/** What git asks a remote in, beside a copy. */
export function remoteBox(
  { view }: WorkTree,
  root: string,
  shown: ShownCopy,
  asUser: boolean,
): ReturnType<typeof boxOf> {
  const place = { cwd: root, env: process.env, visible: [], home: null, agent: '' };
  const box = shown.git === null || asUser ? null : (view?.how.box() ?? null);
  return boxOf(box, { role: 'git', ...place, copy: shown });
}

/** Whether a commit in a work tree runs hooks. */
export function hasCommitHooks({ view }: WorkTree): boolean {
  return view !== null && HOOKS.some((name) => view.hooks.has(name));
}

/**
 * Runs the repository's commit hooks on what an attempt left, in a box on the copy, with a git folder that no agent wrote. They get
 * what git gives them at your prompt: the changes are staged, and no variable steers git but those that it sets itself.
 *
 * @param tree Of the copy; `root` is where programs in the box see it.
 * @param look Is given what the hooks made before it goes away: their objects lie in a folder of their own.
 */
export async function runCommitHooks(
  tree: WorkTree,
  root: string,
  shown: ShownCopy,
  { base, message, changes, submodules }: Wanted,
  look: (treeId: string, objects: string) => Promise<void> = async () => undefined,
): Promise<HooksRan> {
  const { view } = tree;
  if (view === null || !hasCommitHooks(tree)) return { kind: 'none' };
  const paths = changes.map(({ path }) => printPath(path));
  const changed = hookAmong(tree, root, paths);
  if (changed !== null)
    return { kind: 'refused', reason: `your commit hooks run ${changed}, and the task changed it` };
  const { git } = shown;
  // Without a box an agent can write those that lie in your git folder; all others are the copy's.
  const planted = git === null ? changedHook({ ...tree, top: root }, isOutside) : null;
  if (planted !== null)
    return { kind: 'refused', reason: `your commit hook ${planted} has changed since ralph started` };
  const call = gitCall({ kind: 'question', folder: git === null ? shown.files : root });
  if (call.program.kind === 'missing') return { kind: 'refused', reason: call.program.message };
  // Without a box the agent's own git folder makes room: a variable that named another one would be seen by the hooks.
  const own = git === null ? join(shown.files, '.git') : null;
  const aside = join(shown.folder, 'agents-git');
  const folder = own ?? join(shown.folder, 'commit-git');
  const place = { cwd: root, env: process.env, visible: [], home: null, agent: '' };
  const copy = git === null ? undefined : { ...shown, git: { ...git, folder } };
  const box = boxOf(git === null ? null : view.how.box(), { role: 'git', ...place, copy });
  if (own !== null) moveAway(own, aside);
  try {
    const objects = git === null ? join(tree.commonDir, 'objects') : OBJECTS_IN_BOX;
    await makeAgentGit(tree, { folder, index: join(shown.folder, 'index'), objects, base });
    await makeModules({ ...tree, top: root }, submodules, { ...shown, git: folder, isBoxed: git !== null });
    await setChanged(indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') }), changes);
    const why = await hookProblem(box, [call.program.path, ...COMMIT, message], { call, env: {}, input: '' });
    if (why !== null) {
      // Git writes it once pre-commit has passed, for the hooks that read the message.
      const isOfMessage = existsSync(join(folder, 'COMMIT_EDITMSG'));
      const [subject = ''] = message.split('\n');
      const reason = isOfMessage
        ? `${asSentence(why)} Its message was "${onOneLine(subject)}": [git] message sets the form`
        : why;
      return { kind: 'refused', reason: `its commit hooks ${reason}` };
    }
    const { head } = await readRefs({ ...tree, gitDir: folder, commonDir: folder });
    const objectsMade = join(folder, 'objects');
    const made = { ...tree, alternates: [objectsMade] };
    const shownAs = ['show', '-s', '--format=%T%n%B', head ?? base.commit];
    const [treeId = '', ...words] = (await objectText(made, shownAs)).split('\n');
    const committed = new Set(await pathsBetween(made, base.tree, treeId));
    const tookOut = changes.map(({ path }) => path).filter((path) => !committed.has(path));
    await look(treeId, objectsMade);
    return { kind: 'ran', message: words.join('\n'), tree: treeId, tookOut: tookOut.map(printPath) };
  } finally {
    box.close();
    if (own !== null) moveAway(aside, own);
  }
}

/** Without a box an agent may have removed it. */
function moveAway(from: string, to: string): void {
  removeTree(to);
  if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}

/** Whether a path relative to the top of a work tree isn't one of its files. */
function isOutside(path: string): boolean {
  return path.startsWith('.git/') || path.startsWith('../');
}
