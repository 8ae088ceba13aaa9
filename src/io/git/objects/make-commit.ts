import { GitError } from '../../../domain/ports.ts';
import { trimBlanks } from '../../../lib/text.ts';
import { ownPath } from '../../programs/start/own-program.ts';
import { patience } from '../../programs/start/patience.ts';
import { gitCall } from '../call/environment.ts';
import { runGit } from '../call/run-git.ts';
import { identityOf, setting } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { withObjects } from './door.ts';

/** Who makes a commit, and when. */
export type By = {
  /** `user`: whom git's settings name. */
  readonly who: 'user' | 'ralph';
  /** Seconds since 1970, in UTC; absent: now. */
  readonly date?: number;
};

/** Makes the commits that only ralph refers to; fixed, so that nothing depends on the user's settings. */
const RALPH = { name: 'ralph <ralph@localhost>', date: null };

/**
 * Makes a commit that no branch holds yet, not signed; its id.
 *
 * @param treeId Of a tree, not of a commit.
 * @throws GitError where git doesn't know who commits, or an object isn't there.
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
    ...{ tree: treeId, parents: [...new Set(parents)], message },
    author: `${author.name} ${at ?? author.date ?? now}`,
    committer: `${committer.name} ${at ?? committer.date ?? now}`,
  };
  return withObjects(tree, (objects) => objects.writeCommit(made));
}

/** Seconds since 1970 and the time zone. */
function inZone(date: Date): string {
  const east = -date.getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  const zone = `${hours}`.padStart(2, '0') + `${minutes}`.padStart(2, '0');
  return `${Math.floor(date.getTime() / 1000)} ${east < 0 ? '-' : '+'}${zone}`;
}

/** The same, signed as the user signs theirs. @param limitMs How long that may take. */
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

/** How long the user's program for signatures may take, in milliseconds. */
const SIGNING_MS = 60_000;

/** How long the signing of commits may take together; `null`: the user doesn't sign theirs. */
export async function signingLimit(tree: WorkTree): Promise<number | null> {
  return (await setting(tree, 'bool', 'commit.gpgsign')) === 'true' ? patience(SIGNING_MS) : null;
}
