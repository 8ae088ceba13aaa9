import { existsSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { trimBlanks } from 'ralph-kit/text';
import type { GitOperation } from '../../domain/change-set.ts';
import type { WorkTree } from '../call/work-tree.ts';

/** Absolute paths: top of the work tree, its git folder, and the one that worktrees share. */
export type FoundWorkTree = Pick<WorkTree, 'top' | 'gitDir' | 'commonDir'>;

/** Environment variables that change where git looks. */
const STEERING = ['GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'] as const;
const HEAD = /^(?:ref: refs\/[^ \n]+|[0-9a-f]{40})[ \t\r\n]*$/;
/** Settings that may move the work tree, so git must be asked. */
const UNUSUAL = /worktree|extensions|include|repositoryformatversion\s*=\s*[^0\s]|bare(?!\s*=\s*false\s*$)/im;

/**
 * Finds the work tree without git: for commands that only read, two git processes take longer than everything else.
 * `null` when anything is unusual (no repository, bare, submodule, other owner, settings that move the work tree);
 * git then explains it.
 * @param folder Absolute real path.
 */
export function findWorkTree(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): FoundWorkTree | null {
  if (STEERING.some((name) => env[name] !== undefined)) return null;
  try {
    const { dev } = statSync(folder);
    for (let at = folder; ; at = dirname(at)) {
      if (statSync(at).dev !== dev) return null;
      const dotGit = lstatOrNull(join(at, '.git'));
      if (dotGit !== null) return readDotGit(at, dotGit);
      // A folder with a HEAD may be a git folder itself.
      if (dirname(at) === at || lstatOrNull(join(at, 'HEAD')) !== null) return null;
    }
  } catch {
    // Git reports the reason for unreadable files better.
    return null;
  }
}

/** Returns the tops of all readable work trees, `top` first. */
export function workTreeTops({ top, commonDir }: FoundWorkTree): string[] {
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : [];
  const folder = join(commonDir, 'worktrees');
  const names = lstatOrNull(folder)?.isDirectory() === true ? readdirSync(folder) : [];
  const linked = names.flatMap((name) => {
    const path = join(folder, name, 'gitdir');
    if (lstatOrNull(path)?.isFile() !== true) return [];
    return [dirname(resolve(folder, name, trimBlanks(readFileBytes(path).toString('utf8'))))];
  });
  return [...new Set([top, ...main, ...linked])];
}

function readDotGit(top: string, dotGit: Stats): FoundWorkTree | null {
  const path = join(top, '.git');
  if (dotGit.isDirectory()) return checked({ top, gitDir: path, commonDir: path }, [path, top]);
  if (!dotGit.isFile()) return null;
  const target = /^gitdir: (.+?)[\r\n]*$/.exec(readFileBytes(path).toString('utf8'))?.[1];
  if (target === undefined) return null;
  const gitDir = realpathSync(resolve(top, target));
  // Only linked worktrees have this file; a submodule's settings name its work tree.
  const common = trimBlanks(readFileBytes(join(gitDir, 'commondir')).toString('utf8'));
  return checked({ top, gitDir, commonDir: realpathSync(resolve(gitDir, common)) }, [path, gitDir, top]);
}

/** Same checks as git's: HEAD, objects and refs exist, this user owns everything, no unusual setting. */
function checked(workTree: FoundWorkTree, owned: readonly string[]): FoundWorkTree | null {
  const { gitDir, commonDir } = workTree;
  const user = process.geteuid?.();
  if (owned.some((path) => lstatSync(path).uid !== user)) return null;
  const head = join(gitDir, 'HEAD');
  if (!lstatSync(head).isFile() || !HEAD.test(readFileBytes(head).toString('utf8'))) return null;
  if (!statSync(join(commonDir, 'objects')).isDirectory()) return null;
  if (!statSync(join(commonDir, 'refs')).isDirectory()) return null;
  return UNUSUAL.test(readFileBytes(join(commonDir, 'config')).toString('utf8')) ? null : workTree;
}

function lstatOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function operation(what: string, command: string): GitOperation {
  return { what, finish: `git ${command} --continue`, giveUp: `git ${command} --abort` };
}

/** Operations by their files in the git folder. */
const TRACES: readonly (readonly [trace: string, operation: GitOperation])[] = [
  ['MERGE_HEAD', operation('a merge', 'merge')],
  ['rebase-merge', operation('a rebase', 'rebase')],
  ['rebase-apply/applying', operation('an am', 'am')],
  ['rebase-apply', operation('a rebase', 'rebase')],
  ['CHERRY_PICK_HEAD', operation('a cherry-pick', 'cherry-pick')],
  ['REVERT_HEAD', operation('a revert', 'revert')],
  ['BISECT_LOG', { what: 'a bisect', finish: 'git bisect reset', giveUp: 'git bisect reset' }],
];

/** Returns the outermost operation, which has to be finished first; `null` when none is in progress. */
export function operationInProgress(gitDir: string): GitOperation | null {
  return TRACES.find(([trace]) => existsSync(join(gitDir, trace)))?.[1] ?? null;
}
