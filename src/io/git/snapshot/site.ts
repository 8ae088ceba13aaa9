import type { IndexGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import type { Submodules } from './nested.ts';
import type { PrivateFiles } from './private-index.ts';
import type { SnapshotSettings } from './snapshot-settings.ts';

/** What every step of a snapshot works with; `git` is for calls on the private index. */
export type Site = {
  readonly tree: WorkTree;
  readonly settings: SnapshotSettings;
  readonly files: PrivateFiles;
  readonly git: IndexGit;
  readonly submodules: Submodules;
};
