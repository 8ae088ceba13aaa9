/** A line of a hunk as it stands in one of the two versions. */
export type SideLine = {
  readonly text: string;
  /** Its number in the file, from 1. */
  readonly number: number;
  /** It is only in this version. */
  readonly changed: boolean;
  /** Which hunk it belongs to, from 0; lines of different hunks aren't neighbours. */
  readonly hunk: number;
};

/** What a diff says of one file. Lines are those that the diff shows: whole files only where it holds them. */
export type FileChange = {
  /** `null`: the file is new. */
  readonly oldPath: string | null;
  /** `null`: the file was deleted. */
  readonly newPath: string | null;
  readonly before: readonly SideLine[];
  readonly after: readonly SideLine[];
  /** What git prints after `@@`, by hunk: usually the line that the function around it begins with. */
  readonly sections: readonly string[];
};
