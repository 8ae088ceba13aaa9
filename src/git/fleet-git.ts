import type { FleetGit } from 'ralph-fleet/jobs';
import { GitError, type RefMove } from '../domain/ports.ts';
import { objectGit, objectText } from './call/git.ts';
import { type BytePath, bytePath } from './call/git-path.ts';
import { runGit } from './call/run-git.ts';
import type { WorkTree } from './call/work-tree.ts';
import { encoded } from './line/results.ts';
import { objectsOf } from './objects/door.ts';
import { makeCommit } from './objects/make-commit.ts';
import { editedTree, isReachable, revision, writeText } from './objects/questions.ts';
import { FOLDER, type TreeEntry } from './objects/tree-entries.ts';
import {
  FETCH_PLAINLY,
  PUSH_PLAINLY,
  remoteCall,
  specsOf,
  together,
  withoutUser,
} from './repository/remote-call.ts';

/** Limit for one file of a record, in bytes. */
const MOST_READ = 64_000_000;

/** Returns what a fleet asks of git, for one clone and one of its remotes. */
export function fleetGit(tree: WorkTree, remote: string): FleetGit {
  return {
    remote,
    refName: encoded,
    firstCommit: async () => {
      const first = await objectText(tree, ['rev-list', '--max-parents=0', 'HEAD']);
      return first.split('\n').at(-1) ?? '';
    },
    listed: async (patterns) => {
      const { stdout } = await runGit(await remoteCall(tree), ['ls-remote', '--', remote, ...patterns]);
      const lines = stdout.toString('utf8').split('\n').filter(Boolean);
      return new Map(lines.map((line) => line.split('\t')).map(([id = '', ref = '']) => [ref, id]));
    },
    fetch: async (ref, as) => {
      const spec = as === null ? ref : `+${ref}:${as}`;
      await runGit(await remoteCall(tree), ['fetch', ...FETCH_PLAINLY, '--', remote, spec]);
    },
    push: (moves) => push(tree, remote, moves),
    find: (name) => revision(tree, name),
    commit: async (id) => {
      const commit = await (await objectsOf(tree)).commit(id);
      return { parents: commit?.parents ?? [], message: commit?.message ?? '' };
    },
    text: async (commit, path) => {
      const args = ['cat-file', 'blob', `${commit}:${path}`];
      return (await objectGit(tree, args, { maxBytes: MOST_READ })).stdout.toString('utf8');
    },
    names: async (commit, folder) => {
      const names = await objectText(tree, ['ls-tree', '--name-only', '-z', `${commit}:${folder}`]);
      return names.split('\0').filter(Boolean);
    },
    makeTree: async (files, trees) => {
      const edits = new Map<BytePath, TreeEntry>();
      for (const [path, text] of Object.entries(files))
        edits.set(bytePath(Buffer.from(path)), { mode: '100644', oid: await writeText(tree, text) });
      for (const [name, oid] of Object.entries(trees)) edits.set(name as BytePath, { mode: FOLDER, oid });
      return editedTree(tree, null, edits);
    },
    makeCommit: (treeId, parents, message) => makeCommit(tree, treeId, parents, message, { who: 'ralph' }),
    isReachable: (commit, from) => isReachable(tree, commit, from),
  };
}

/** Moves all refs or none; returns false when one has another value than expected. */
async function push(tree: WorkTree, remote: string, moves: readonly RefMove[]): Promise<boolean> {
  const args = ['push', '--porcelain', ...PUSH_PLAINLY, ...together(moves), '--', remote, ...specsOf(moves)];
  const { code, stdout, stderr } = await runGit(await remoteCall(tree), args, { answers: [1] });
  if (code === 0) return true;
  const refusals = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  if (refusals.length > 0 && refusals.every((line) => LATE.test(line))) return false;
  throw new GitError(withoutUser(`git push: ${refusals[0]?.split('\t').at(-1) ?? ''} ${stderr}`.trim()));
}

/** Refusals that mean that a ref has another value or is being moved. */
const LATE =
  /stale info|fetch first|non-fast-forward|already exists|failed to update ref|cannot lock ref|atomic (?:push failed|transaction failed)|reference already exists/;
