import { ownPath } from 'ralph-kit/programs/start/own-program';
import { patience } from 'ralph-kit/programs/start/patience';
import { trimBlanks } from 'ralph-kit/text';
import { GitError } from '../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { runGit } from '../call/run-git.ts';
import { identityOf, setting } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { withObjects } from './door.ts';

export type By = {
  /** Author of the commit. `user`: as in git's settings. */
  readonly who: 'user' | 'ralph';
  /** Time of the commit, in seconds since 1970; absent: now. */
  readonly date?: number;
};

/** Author of commits that only ralph refers to, independent of the user's settings. */
const RALPH = { name: 'ralph <ralph@localhost>', date: null };

/**
 * Makes an unsigned commit outside any branch and returns its id.
 * @param treeId Id of a tree, not of a commit.
 * @throws GitError when git doesn't know the user or an object is missing.
 */
export async function makeCommit(
  tree: WorkTree,
  treeId: string,
  parents: readonly string[],
  message: string,
  { who, date }: By,
): Promise<string> {
  if (message.includes('\0')) throw new GitError('git refuses a message with a NUL byte in it');
  const { author, committer } =
    who === 'ralph' ? { author: RALPH, committer: RALPH } : await identityOf(tree);
  const at = date === undefined ? null : `${date} +0000`;
  const now = inZone(new Date());
  const made = {
    tree: treeId,
    parents: [...new Set(parents)],
    message,
    author: `${author.name} ${at ?? author.date ?? now}`,
    committer: `${committer.name} ${at ?? committer.date ?? now}`,
  };
  return withObjects(tree, (objects) => objects.writeCommit(made));
}

function inZone(date: Date): string {
  const east = -date.getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  const zone = `${hours}`.padStart(2, '0') + `${minutes}`.padStart(2, '0');
  return `${Math.floor(date.getTime() / 1000)} ${east < 0 ? '-' : '+'}${zone}`;
}

/** Makes a commit that git signs with your key, and returns its id. */
export async function makeSignedCommit(
  tree: WorkTree,
  treeId: string,
  parents: readonly string[],
  message: string,
  { date, limitMs }: { readonly date?: number; readonly limitMs: number },
): Promise<string> {
  const args = ['commit-tree', treeId, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', '-S'];
  const at = `@${date} +0000`;
  const dates = date === undefined ? {} : { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const call = gitCall({ kind: 'user', tree, hooks: '/dev/null' }, { ...dates, PATH: ownPath(tree.top) });
  const { stdout } = await runGit({ ...call, limitMs }, args, { input: message });
  return trimBlanks(stdout.toString('utf8'));
}

/** Time limit of the user's signing program, in milliseconds. */
const SIGNING_MS = 60_000;

/** Returns the time limit for signing several commits together; `null` when the user doesn't sign. */
export async function signingLimit(tree: WorkTree): Promise<number | null> {
  return (await setting(tree, 'bool', 'commit.gpgsign')) === 'true' ? patience(SIGNING_MS) : null;
}
