import { objectGit, revision, userIndexGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList } from '../call/git-path.ts';
import { dotGitOf, type WorkTree } from '../call/work-tree.ts';
import { readEntries } from '../read/index-content.ts';
import { GITLINK, type RawChange } from '../read/parse-diff.ts';
import { parsePaths } from '../read/parse-status.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';

/**
 * What of a change belongs in a commit of this repository: not the files of a repository that lies inside, not new
 * files that are ignored by now; of a submodule the commit it is at, not what is uncommitted in it.
 */
export async function committable(snapshots: Snapshots, changes: readonly RawChange[]): Promise<RawChange[]> {
  const { tree } = snapshots;
  const inside = insideRepositories(tree);
  const ignored = await ignoredNow(
    tree,
    changes.filter((change) => change.status === 'A' && !inside(change.path)),
  );
  const result: RawChange[] = [];
  for (const change of changes) {
    if (inside(change.path) || ignored.has(change.path)) continue;
    const content = change.newMode === GITLINK ? await atItsCommit(snapshots, change) : change;
    if (content !== null) result.push(content);
  }
  return result;
}

function insideRepositories(tree: WorkTree): (path: BytePath) => boolean {
  const known = new Map<BytePath, boolean>();
  const isRepository = (folder: BytePath) => {
    const answer = known.get(folder) ?? dotGitOf(tree, folder) !== null;
    known.set(folder, answer);
    return answer;
  };
  return (path) => foldersAbove(path).some(isRepository);
}

async function ignoredNow(tree: WorkTree, added: readonly RawChange[]): Promise<ReadonlySet<BytePath>> {
  if (added.length === 0) return new Set();
  // This command has no literal paths; with `./` in front none is taken for a pattern.
  const input = nulList(added.map((change) => `./${change.path}` as BytePath));
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const listed = await objectGit(tree, ['check-ignore', '-z', '--stdin'], { input, env, answers: [1] });
  return new Set(parsePaths(listed.stdout).map((path) => path.slice(2) as BytePath));
}

/** `null` when the submodule is at the commit that is recorded, or is not registered. */
async function atItsCommit({ tree, submodules }: Snapshots, change: RawChange): Promise<RawChange | null> {
  const submodule = submodules.find(change.path);
  if (submodule === null) return change;
  const oid = await revision(submodule, 'HEAD');
  if (oid === null || (change.oldMode === GITLINK && oid === change.oldOid)) return null;
  if (change.oldMode !== GITLINK && !(await isRegistered(tree, change.path))) return null;
  return { ...change, newOid: oid };
}

async function isRegistered(tree: WorkTree, path: BytePath): Promise<boolean> {
  const users = await readEntries(userIndexGit(tree));
  return users.some((entry) => entry.path === path && entry.mode === GITLINK);
}
