export type SideLine = {
  readonly text: string;
  /** Line number in the file, from 1. */
  readonly number: number;
  readonly changed: boolean;
  /** Index of the line's hunk, from 0. Lines of different hunks aren't neighbours. */
  readonly hunk: number;
};

export type FileChange = {
  /** `null` for a new file. */
  readonly oldPath: string | null;
  /** `null` for a deleted file. */
  readonly newPath: string | null;
  readonly before: readonly SideLine[];
  readonly after: readonly SideLine[];
  /** Text after `@@` by hunk, usually the first line of the enclosing function. */
  readonly sections: readonly string[];
};
