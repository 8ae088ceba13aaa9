import type { GitCall } from '../call/environment.ts';
import { type Answer, openLongLived, ProgramEnded } from './long-lived.ts';

export type RefsMoved = { readonly kind: 'moved' } | { readonly kind: 'refused'; readonly why: string };

/** Moves refs through one long-running `git update-ref --stdin` that holds no locks between transactions. */
export type RefTransactions = {
  /**
   * Moves all refs or none.
   * @param updates Lines of `git update-ref --stdin` without options or transaction commands.
   * @throws GitError when git can't be started, is too slow or is killed; the refs may have moved then.
   */
  readonly move: (updates: readonly string[]) => Promise<RefsMoved>;
  readonly end: () => void;
};

export function openRefTransactions(call: () => GitCall, message: string): RefTransactions {
  const git = openLongLived(call, ['update-ref', '--stdin', '-m', message]);
  // Git ends at its first refusal and would fail later questions, so transactions run one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const one = async (updates: readonly string[]): Promise<RefsMoved> => {
    const question = ['start', ...updates, 'prepare', 'commit', ''].join('\n');
    try {
      await git.ask(question, readCommitted);
      return { kind: 'moved' };
    } catch (error) {
      if (error instanceof ProgramEnded && error.stderr.includes('fatal: '))
        return { kind: 'refused', why: error.stderr };
      // Git may have been ended after its commit, so the caller must read the refs.
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

/** Git confirms each of the three commands. */
function* readCommitted(): Answer<null> {
  for (const command of ['start', 'prepare', 'commit']) {
    const line = (yield 'line').toString('utf8');
    if (line !== `${command}: ok`) throw new Error(`git update-ref answered ${JSON.stringify(line)}`);
  }
  return null;
}
