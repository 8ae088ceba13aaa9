import { type FileHistory, GitError, type HistoryQuery } from '../../../domain/ports.ts';
import { openGitAt } from '../work-tree.ts';

/** What commits hold of a file. Git is opened when it is asked for: hardly any command needs it. */
export function commitHistory(root: string): (query: HistoryQuery) => Promise<FileHistory | null> {
  return async (query) => {
    const opened = await openGitAt(root);
    try {
      return opened.ok ? await opened.history(query) : null;
    } catch (error) {
      // What git doesn't know explains no mark.
      if (error instanceof GitError) return null;
      throw error;
    }
  };
}
