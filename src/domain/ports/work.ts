import * as z from 'zod/mini';
import type { OutputFormat } from '../agent.ts';
import type { ShownCopy } from '../box/box.ts';
import type { ChangeSet, GitOperation, InnerRepository, Pointer, Snapshot } from '../change-set.ts';
import type { FileFact } from '../claim.ts';

/** What is installed in a copy. */
type Installed = {
  /** The text of a lock file by which that was installed; `null`: by none of that path. */
  readonly by: (path: string) => string | null;
  /** Something was installed by that text. */
  readonly note: (path: string, text: string) => void;
};

/** A tree in a copy of the work tree. */
export type TreeCopy = {
  readonly shown: ShownCopy;
  /** Paths at which it differs from the tree by now; what is ignored doesn't count. */
  readonly changed: () => Promise<readonly string[]>;
  /** What git ignores in the checkout and isn't in it, as it is larger than 2 GB and no layer can show it. */
  readonly leftOut: readonly string[];
  readonly installed: Installed;
  /** Equal as long as what it has of what git ignores in the checkout is equal there. */
  readonly ignored: string;
  /** What isn't ignored and was made in it since it was opened; a folder of which all is new is one. */
  readonly made: () => Promise<readonly string[]>;
  /** Folders that git ignores and the checkout has as well, with the files that programs wrote in them here; no installed ones. */
  readonly builtAnew: () => Promise<readonly { readonly path: string; readonly files: number }[]>;
  /** From now on: files at these paths that were written, with what they hold; also where that is what they held. `null`: nothing that is text. */
  readonly watch: (
    paths: readonly string[],
  ) => () => readonly { readonly path: string; readonly text: string | null }[];
  /** The tree with these files as they are in the copy now; `null`: one of them isn't a file. @throws GitError */
  readonly treeWith: (paths: readonly string[]) => Promise<string | null>;
  /** As `Work.commitHooks`. */
  readonly commitHooks: (message: string, paths: readonly string[]) => Promise<HooksRan>;
  /** Copies what git ignores at these paths from another copy. */
  readonly bring: (paths: readonly string[], from: ShownCopy) => void;
  /** The next one may have its place. */
  readonly close: () => void;
};

/** Files of text, by their paths relative to the top of the work tree. */
export type TextFiles = readonly { readonly path: string; readonly text: string }[];

/** The commit that git in a copy has at HEAD. */
export type AtHead =
  /** This one. Where the copy doesn't hold its tree, git has a commit like it with what the copy holds. */
  | { readonly commit: string }
  /** One on the copy's base with what the copy holds, and with this message. */
  | { readonly message: string };

/** What gates find committed in a copy: all that it holds. */
export type Committed = {
  readonly base: WorkBase;
  readonly head: AtHead;
};

/** A copy in which no agent worked. */
export type CleanCopy = Committed & {
  readonly tree: string;
  /** Paths and patterns, as in `.gitignore`, of ignored files that are copied from the checkout beside installed packages. */
  readonly keep: readonly string[];
  /** Programs see it at its own path, although there is a box that shows copies in the place of the checkout. */
  readonly outside: boolean;
  /** Written over the tree; folders are made. */
  readonly files: TextFiles;
};

/** What a copy stands on: a commit of ralph's line. */
export const WorkBase = z.object({
  commit: z.string(),
  tree: z.string(),
  /** Short name; `null`: HEAD is detached. */
  branch: z.nullable(z.string()),
  /** The task whose work is in the copy; `null`: none. */
  taskId: z.nullable(z.string()),
});
export type WorkBase = z.infer<typeof WorkBase>;

/** The copy of the work tree in which tasks are worked at. Nothing but its programs and ralph writes it. */
export type Work = {
  readonly shown: ShownCopy;
  /** Absolute path of a folder beside it for temporary files, which is made. */
  readonly temporary: () => string;
  /** What it was brought to last, maybe by an earlier process; `null`: it has to be brought to something first. */
  readonly base: () => WorkBase | null;
  /**
   * Brings it to a tree on a base, with a git folder made anew; no program may be at work in it. What is ignored and was
   * made in it is gone then.
   * @throws GitError
   */
  readonly reset: (base: WorkBase, tree: string) => Promise<TreeCopy['leftOut']>;
  /** Without a box: what agents take instructions from is as in the checkout again, whatever one wrote there. @throws GitError */
  readonly renewInstructions: () => Promise<void>;
  readonly installed: Installed;
  /** What it holds. HEAD is its base. */
  readonly git: TreeReader & {
    /** A merge, a rebase or the like that an agent left in progress in it; `null`: none is. */
    readonly operation: () => GitOperation | null;
  };
  /**
   * Repositories in its work become plain folders: their git folders are kept below `into` (absolute). Gives all that attempts at its task left so.
   *
   * @param elsewhere Such folders that another machine made plain, and where it keeps their git folders.
   */
  readonly keepRepositories: (
    into: string,
    elsewhere: readonly KeptElsewhere[],
  ) => Promise<readonly InnerRepository[]>;
  /** The submodules whose commits its work changes; what can't be had elsewhere is kept below `into` (absolute). */
  readonly pointers: (left: string, into: string) => Promise<readonly Pointer[]>;
  /** The commits to which its work moves submodules, for another machine. */
  readonly submoduleCommits: (left: string) => Promise<readonly SentCommit[]>;
  /**
   * Takes such a commit, so that it is at hand when the copy is brought to a tree that names it; false: this machine lacks what `known` names.
   * @throws GitError where it is damaged.
   */
  readonly takeSubmoduleCommit: (sent: SentCommit & { readonly pack: Buffer }) => Promise<boolean>;
  /**
   * What is committed of its work: its base with these paths as a snapshot of it has them, but for new files that are ignored by now; and the
   * paths at which that differs from the snapshot all the same.
   */
  readonly resultTree: (
    left: string,
    paths: readonly string[],
  ) => Promise<{ readonly tree: string; readonly missing: readonly string[] }>;
  /** Whether your repository has hooks that a commit runs. */
  readonly hasCommitHooks: () => boolean;
  /** Runs your commit hooks on what it holds at these paths, as if that was committed; what they change is in it then. */
  readonly commitHooks: (message: string, paths: readonly string[]) => Promise<HooksRan>;
  /** A tree as gates see it: without the files that are shown from the checkout. */
  readonly keyOf: (tree: string) => Promise<string>;
  /** What git ignores and programs made in it; a folder of which all is ignored is one. */
  readonly made: () => Promise<readonly string[]>;
  /** Whether a package manager fills what git ignores at a path. */
  readonly holdsPackages: (path: string) => boolean;
  /** Commits that were made in it since its base, oldest first, with what each changes. */
  readonly commits: (patchBytes: number) => Promise<readonly CopyCommit[]>;
};

/** A folder that was a repository on another machine, which keeps its git folder. */
export type KeptElsewhere = Pick<InnerRepository, 'path' | 'kept' | 'leadsTo'>;

/** A commit of a submodule with all that it needs and `known`, the commit before it, doesn't have. */
export type SentCommit = {
  readonly path: string;
  readonly commit: string;
  readonly known: string | null;
  /** `null`: it is too large to send. */
  readonly pack: Buffer | null;
};

/** What became of commit hooks. `message`, `tree`: of the commit as they left it; `tookOut`: paths that aren't in it; `reason`: the rest of "it waits: …". */
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

/** How an agent's output is read. `support`: it works in this role, beside the maker. */
export type Output = Pick<OutputFormat, 'parse' | 'plainText' | 'toolSessions'> & {
  readonly support?: { readonly name: string };
};

/** What files hold, and what differs between two moments. */
export interface TreeReader {
  /** Exact identity of the files now. Doesn't touch your index, stash and files. */
  snapshot(): Promise<Snapshot>;
  diff(before: Snapshot, after: Snapshot): Promise<ChangeSet>;
  /**
   * The same with the unified diff as text, of which the whole lines that fit into `patchBytes`. `now`: the second
   * snapshot is taken first.
   */
  diffWithPatch(
    before: Snapshot,
    after: Snapshot | 'now',
    patchBytes: number,
  ): Promise<{ readonly changes: ChangeSet; readonly patch: string }>;
  /** What a snapshot of now holds at these paths (relative to the top of the work tree). */
  fileFacts(snapshot: Snapshot, paths: readonly string[]): Promise<readonly FileFact[]>;
}
