import type { GitCall } from '../call/environment.ts';
import { type Answer, openLongLived, ProgramEnded } from './long-lived.ts';

/** How a transaction ended: `refused` has git's reason. */
export type RefsMoved = { readonly kind: 'moved' } | { readonly kind: 'refused'; readonly why: string };

/** Moves refs by one `git update-ref --stdin` that stays; it holds no lock between two transactions. */
export type RefTransactions = {
  /**
   * Moves all of the refs or none.
   *
   * @param updates Lines of `git update-ref --stdin` without options or commands of transactions.
   * @throws GitError when git can't be started, doesn't answer in time, or is killed: then the refs may have moved
   */
  readonly move: (updates: readonly string[]) => Promise<RefsMoved>;
  readonly end: () => void;
};

/**
 * @param call How git is called for the repository.
 * @param message What reflogs say of a ref that moves.
 */
export function openRefTransactions(call: () => GitCall, message: string): RefTransactions {
  const git = openLongLived(call, ['update-ref', '--stdin', '-m', message]);
  // git ends at its first refusal, and what was asked behind it would fail with it: so one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const one = async (updates: readonly string[]): Promise<RefsMoved> => {
    const question = ['start', ...updates, 'prepare', 'commit', ''].join('\n');
    try {
      await git.ask(question, readCommitted);
      return { kind: 'moved' };
    } catch (error) {
      if (error instanceof ProgramEnded && error.stderr.includes('fatal: '))
        return { kind: 'refused', why: error.stderr };
      // Ended by something else, maybe behind the commit: whether the refs moved has to be looked up.
      throw error;
    }
  };
  return {
    move: (updates) => {
      const moved = last.then(() => one(updates));
      last = moved.catch(() => undefined);
      return moved;
    },
    end: git.end,
  };
}

/** Git says of each of the three commands that it was done. */
function* readCommitted(): Answer<null> {
  for (const command of ['start', 'prepare', 'commit']) {
    const line = (yield 'line').toString('utf8');
    if (line !== `${command}: ok`) throw new Error(`git update-ref answered ${JSON.stringify(line)}`);
  }
  return null;
}
