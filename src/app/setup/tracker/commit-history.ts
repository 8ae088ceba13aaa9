import { type FileHistory, GitError, type HistoryQuery } from '../../../domain/ports.ts';
import { openGitAt } from '../work-tree.ts';

/**
 * Returns a function that reads the versions of a file from commits. Git is opened at its first call, because few
 * commands need it.
 */
export function commitHistory(root: string): (query: HistoryQuery) => Promise<FileHistory | null> {
  return async (query) => {
    const opened = await openGitAt(root);
    try {
      return opened.ok ? await opened.history(query) : null;
    } catch (error) {
      // If git can't read the history, no mark is explained by it.
      if (error instanceof GitError) return null;
      throw error;
    }
  };
}
