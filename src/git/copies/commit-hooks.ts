import { existsSync, lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { boxOf } from 'ralph-box';
import { type MountedCopy, OBJECTS_IN_BOX } from 'ralph-box/protocol';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { asSentence, onOneLine } from 'ralph-kit/text';
import type { HooksRan, WorkBase } from '../../domain/ports/work.ts';
import { gitCall } from '../call/environment.ts';
import { indexGit, objectText } from '../call/git.ts';
import { printPath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { pathsBetween } from '../line/replay.ts';
import type { RawChange } from '../objects/tree-entries.ts';
import { setChanged } from '../read/index-content.ts';
import { readRefs } from '../repository/refs.ts';
import { changedHook, hookAmong } from '../view/changed-hook.ts';
import { hookProblem } from '../view/hooks.ts';
import { makeAgentGit } from './agent-git.ts';
import { type Filled, makeModules } from './fill-submodules.ts';

/** Hooks that check or change a commit before it is made. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg'] as const;

/** Only what lands is signed; the message has no editor comments to strip. */
const COMMIT = ['commit', '--quiet', '--allow-empty', '--no-gpg-sign', '--cleanup=whitespace', '-m'];

type Wanted = {
  readonly base: WorkBase;
  readonly message: string;
  /** Changes from the base commit to stage before the hooks run. */
  readonly changes: readonly RawChange[];
  readonly submodules: readonly Filled[];
};

export function remoteBox(
  { view }: WorkTree,
  root: string,
  mounted: MountedCopy,
  asUser: boolean,
): ReturnType<typeof boxOf> {
  const place = { cwd: root, env: process.env, visible: [], home: null, agent: '' };
  const box = mounted.git === null || asUser ? null : (view?.how.box() ?? null);
  return boxOf(box, { role: 'git', ...place, copy: mounted });
}

export function hasCommitHooks({ view }: WorkTree): boolean {
  return view !== null && HOOKS.some((name) => view.hooks.has(name));
}

/**
 * Runs the repository's commit hooks on an attempt's result, in a box on the copy, with a git folder that no agent
 * wrote. As at your prompt, the changes are staged and only git's own variables steer git.
 * @param tree The copy; `root` is its path in the box.
 * @param look Receives the hooks' result before their object folder is removed.
 */
export async function runCommitHooks(
  tree: WorkTree,
  root: string,
  mounted: MountedCopy,
  { base, message, changes, submodules }: Wanted,
  look: (treeId: string, objects: string) => Promise<void> = async () => undefined,
): Promise<HooksRan> {
  const { view } = tree;
  if (view === null || !hasCommitHooks(tree)) return { kind: 'none' };
  const paths = changes.map(({ path }) => printPath(path));
  const changed = hookAmong(tree, root, paths);
  if (changed !== null)
    return { kind: 'refused', reason: `your commit hooks run ${changed}, and the task changed it` };
  const { git } = mounted;
  // Without a box, an agent can write hooks in your git folder; other hooks are the copy's.
  const planted = git === null ? changedHook({ ...tree, top: root }, isOutside) : null;
  if (planted !== null)
    return { kind: 'refused', reason: `your commit hook ${planted} has changed since ralph started` };
  const call = gitCall({ kind: 'question', folder: git === null ? mounted.files : root });
  if (call.program.kind === 'missing') return { kind: 'refused', reason: call.program.message };
  // Without a box, the agent's git folder is moved away: hooks would see a variable that names another one.
  const own = git === null ? join(mounted.files, '.git') : null;
  const aside = join(mounted.folder, 'agents-git');
  const folder = own ?? join(mounted.folder, 'commit-git');
  const place = { cwd: root, env: process.env, visible: [], home: null, agent: '' };
  const copy = git === null ? undefined : { ...mounted, git: { ...git, folder } };
  const box = boxOf(git === null ? null : view.how.box(), { role: 'git', ...place, copy });
  if (own !== null) moveAway(own, aside);
  try {
    const objects = git === null ? join(tree.commonDir, 'objects') : OBJECTS_IN_BOX;
    await makeAgentGit(tree, { folder, index: join(mounted.folder, 'index'), objects, base });
    await makeModules({ ...tree, top: root }, submodules, { ...mounted, git: folder, isBoxed: git !== null });
    await setChanged(indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') }), changes);
    const why = await hookProblem(box, [call.program.path, ...COMMIT, message], { call, env: {}, input: '' });
    if (why !== null) {
      // Git writes this file after pre-commit, for the hooks that check the message.
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

/** Without a box, an agent may have removed the folder. */
function moveAway(from: string, to: string): void {
  removeTree(to);
  if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}

function isOutside(path: string): boolean {
  return path.startsWith('.git/') || path.startsWith('../');
}
