import type { BytePath } from '../call/git-path.ts';

/** Mode of a submodule in a tree. */
export const GITLINK = '160000';

export type RawChange = {
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R';
  readonly path: BytePath;
  readonly oldPath: BytePath | null;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
};
