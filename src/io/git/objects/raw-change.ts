import type { BytePath } from '../call/git-path.ts';

/** Mode of a submodule in a tree. */
export const GITLINK = '160000';

/** One path that differs between two trees, as `git diff-tree --raw` tells it. */
export type RawChange = {
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R';
  readonly path: BytePath;
  readonly oldPath: BytePath | null;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
};
