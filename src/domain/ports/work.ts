import type { OutputFormat } from 'ralph-agents/protocol';
import type { MountedCopy } from 'ralph-box/protocol';
import * as z from 'zod/mini';
import type { ChangeSet, GitOperation, InnerRepository, Pointer, Snapshot } from '../change-set.ts';
import type { FileFact } from '../claim.ts';

type Installed = {
  /** Returns the text of the lock file by which packages were installed; `null`: none at that path. */
  readonly lockText: (path: string) => string | null;
  readonly note: (path: string, text: string) => void;
};

export type TreeCopy = {
  readonly mounted: MountedCopy;
  /** Returns paths that now differ from the tree, without ignored ones. */
  readonly changed: () => Promise<readonly string[]>;
  /** Ignored paths of the checkout that the copy lacks, as they exceed 2 GB and no layer can show them. */
  readonly leftOut: readonly string[];
  readonly installed: Installed;
  /** Key that is equal for equal content of the ignored files that the copy has from the checkout. */
  readonly ignored: string;
  /** Returns new paths that git doesn't ignore; a folder with only new files is one path. */
  readonly createdPaths: () => Promise<readonly string[]>;
  /** Returns ignored folders that the checkout has, too, with files that programs wrote here; none with packages. */
  readonly builtAnew: () => Promise<readonly { readonly path: string; readonly files: number }[]>;
  /** Watches paths: the returned function lists written files, changed or not, with their text. `null`: not text. */
  readonly watch: (
    paths: readonly string[],
  ) => () => readonly { readonly path: string; readonly text: string | null }[];
  /** Returns the tree with the copy's version of these files; `null`: one isn't a file. @throws GitError */
  readonly treeWith: (paths: readonly string[]) => Promise<string | null>;
  readonly commitHooks: (message: string, paths: readonly string[]) => Promise<HooksRan>;
  readonly bring: (paths: readonly string[], from: MountedCopy) => void;
  readonly close: () => void;
};

/** Text files by their paths, relative to the top of the work tree. */
export type TextFiles = readonly { readonly path: string; readonly text: string }[];

export type AtHead =
  /** The given commit, or a similar one with the copy's content if that differs from the commit's tree. */
  | { readonly commit: string }
  /** A new commit with this message, on the copy's base, with the copy's content. */
  | { readonly message: string };

/** Git state of a copy for gates, in which all content is committed. */
export type Committed = {
  readonly base: WorkBase;
  readonly head: AtHead;
};

export type CleanCopy = Committed & {
  readonly tree: string;
  /** `.gitignore` patterns of ignored files that the copy gets from the checkout beside installed packages. */
  readonly keep: readonly string[];
  /** Whether programs see the copy at its own path, although a box could show it in place of the checkout. */
  readonly outside: boolean;
  /** Files written over the tree; missing folders are made. */
  readonly files: TextFiles;
};

export const WorkBase = z.object({
  commit: z.string(),
  tree: z.string(),
  /** Short name; `null`: HEAD is detached. */
  branch: z.nullable(z.string()),
  /** The task whose work is in the copy; `null`: none. */
  taskId: z.nullable(z.string()),
});
export type WorkBase = z.infer<typeof WorkBase>;

/** The copy of the work tree for a task's work. Only programs in the copy, and ralph, write to it. */
export type Work = {
  readonly mounted: MountedCopy;
  /** Makes a folder for temporary files beside the copy. Returns its absolute path. */
  readonly temporary: () => string;
  /** Returns the base of the last `reset`, maybe by an earlier process; `null`: a `reset` is needed first. */
  readonly base: () => WorkBase | null;
  /**
   * Brings the copy to a tree on a base, with a new git folder and without ignored files made in it. No program may be
   * running in the copy.
   * @throws GitError
   */
  readonly reset: (base: WorkBase, tree: string) => Promise<TreeCopy['leftOut']>;
  /** Without a box: restores the files with instructions for agents from the checkout. @throws GitError */
  readonly renewInstructions: () => Promise<void>;
  readonly installed: Installed;
  /** Reads the copy's files. HEAD is the base. */
  readonly git: TreeReader & {
    /** Returns a merge, rebase or similar operation that an agent left unfinished; `null`: there is none. */
    readonly operation: () => GitOperation | null;
  };
  /**
   * Turns git repositories in the work into plain folders, and keeps their git folders below the absolute path `into`.
   * Returns all such folders of the task's attempts.
   * @param elsewhere Folders that another machine made plain, with the place of their git folders.
   */
  readonly keepRepositories: (
    into: string,
    elsewhere: readonly KeptElsewhere[],
  ) => Promise<readonly InnerRepository[]>;
  /** Returns submodules whose commits the work changes; keeps unpublished ones below the absolute path `into`. */
  readonly pointers: (left: string, into: string) => Promise<readonly Pointer[]>;
  readonly submoduleCommits: (left: string) => Promise<readonly SentCommit[]>;
  /**
   * Stores a submodule commit for later trees that name it; false: this machine lacks the commit `known`.
   * @throws GitError if the data is damaged.
   */
  readonly takeSubmoduleCommit: (sent: SentCommit & { readonly pack: Buffer }) => Promise<boolean>;
  /**
   * Returns the tree to commit: the base with these paths from the snapshot, without new files that are ignored by now.
   * `missing`: paths that differ from the snapshot all the same.
   */
  readonly resultTree: (
    left: string,
    paths: readonly string[],
  ) => Promise<{ readonly tree: string; readonly missing: readonly string[] }>;
  readonly hasCommitHooks: () => boolean;
  /** Runs your commit hooks on the copy's content at these paths, as if committed. Their changes stay in the copy. */
  readonly commitHooks: (message: string, paths: readonly string[]) => Promise<HooksRan>;
  /** Returns a tree as gates see it: without the files that are shown from the checkout. */
  readonly keyOf: (tree: string) => Promise<string>;
  /** Returns ignored paths that programs made in the copy; a folder that is wholly ignored is one path. */
  readonly createdPaths: () => Promise<readonly string[]>;
  /** Returns whether a package manager fills the ignored files at a path. */
  readonly holdsPackages: (path: string) => boolean;
  /** Returns commits made in the copy since its base, oldest first, with their patches. */
  readonly commits: (patchBytes: number) => Promise<readonly CopyCommit[]>;
};

export type KeptElsewhere = Pick<InnerRepository, 'path' | 'kept' | 'leadsTo'>;

/** A submodule's commit with all objects that `known`, the commit before it, lacks. */
export type SentCommit = {
  readonly path: string;
  readonly commit: string;
  readonly known: string | null;
  /** `null`: the pack is too large to send. */
  readonly pack: Buffer | null;
};

/** Result of hooks. `message`, `tree`: after the hooks; `tookOut`: removed paths; `reason`: ends "it waits: …". */
export type HooksRan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'ran';
      readonly message: string;
      readonly tree: string;
      readonly tookOut: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

export type CopyCommit = {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly patch: string;
};

/** How an agent's output is read. `support`: the agent has this role beside the maker. */
export type Output = Pick<OutputFormat, 'parse' | 'plainText' | 'toolSessions'> & {
  readonly support?: { readonly name: string };
};

export interface TreeReader {
  /** Returns the exact identity of the files now. Doesn't touch your index, stash and files. */
  snapshot(): Promise<Snapshot>;
  diff(before: Snapshot, after: Snapshot): Promise<ChangeSet>;
  /** Compares, with a unified diff of whole lines up to `patchBytes`. `now`: the second snapshot is taken first. */
  diffWithPatch(
    before: Snapshot,
    after: Snapshot | 'now',
    patchBytes: number,
  ): Promise<{ readonly changes: ChangeSet; readonly patch: string }>;
  /** Returns facts about these paths in a snapshot of now, relative to the top of the work tree. */
  fileFacts(snapshot: Snapshot, paths: readonly string[]): Promise<readonly FileFact[]>;
}
