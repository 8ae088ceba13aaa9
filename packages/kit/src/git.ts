/** A git command that failed without a fault of the caller. The message has git's own words. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
}

/**
 * A change of a ref on a remote. Nothing is changed unless the ref is at `from` (`null`: doesn't exist). `to` `null`:
 * deletes the ref.
 */
export type RefMove = { readonly ref: string; readonly from: string | null; readonly to: string | null };
