import { GitError } from '../../../domain/ports.ts';

/** What the file system refuses in ralph's folder becomes an error of git, which the user can fix. */
export async function asGitError<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    throw new GitError(
      `ralph can't write in ${place} (${message}). Is the disk full, or the folder read-only? Fix that, then run again.`,
    );
  }
}
