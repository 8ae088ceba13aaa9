/** A git folder: its real path and inode number. */
export type GitFolder = { readonly path: string; readonly ino: number };

/** What state homes remember of the git folders that they belong to. */
export type KnownHomes = {
  /** `null`: there is no such home, or it remembers none. */
  readonly of: (id: string) => GitFolder | null;
  /** The homes of the folder at this path. */
  readonly at: (path: string) => readonly { readonly id: string; readonly ino: number }[];
  /** The inode number of what is at a path now; `null`: nothing. */
  readonly inoAt: (path: string) => number | null;
  /** Whether the folder here has nothing of the history that a home remembers. */
  readonly isOther: (id: string) => boolean;
};

export type HomeChoice = {
  readonly id: string;
  /** Why it isn't the home of the id found, or of a new repository. */
  readonly reason: 'same' | 'new' | 'moved' | 'copied' | 'lost_id' | 'changed_id' | 'made_anew';
  /** The git folder that this one is a copy of. */
  readonly copyOf: string | null;
  /** The home of a repository that was at this path before: this one was made anew. */
  readonly replaces: string | null;
};

/**
 * Which state home belongs to a git folder. The path that a home remembers counts for more than the id in the folder,
 * as a program in there can change that, as long as the history is still there; the id is how a moved repository is known again. An id whose home belongs to
 * a folder that is still where it was came with a copy, and is none for this one.
 *
 * @param found The id in the folder; `null`: none.
 * @param candidates Ids for a new home, in their order.
 */
export function whichHome(
  here: GitFolder,
  found: string | null,
  homes: KnownHomes,
  candidates: Iterable<string>,
): HomeChoice {
  const owner = found === null ? null : homes.of(found);
  const plain = { copyOf: null, replaces: null };
  if (found !== null && owner?.path === here.path) return { id: found, reason: 'same', ...plain };
  const own = homes.at(here.path);
  const remembered = own.find(({ ino }) => ino === here.ino) ?? own[0];
  if (remembered !== undefined && !homes.isOther(remembered.id)) {
    return { id: remembered.id, reason: found === null ? 'lost_id' : 'changed_id', ...plain };
  }
  const replaces = remembered?.id ?? null;
  if (found !== null && owner === null) return { id: found, reason: 'new', copyOf: null, replaces };
  if (found !== null && owner !== null && homes.inoAt(owner.path) !== owner.ino) {
    return { id: found, reason: 'moved', copyOf: null, replaces };
  }
  for (const id of candidates) {
    if (homes.of(id) !== null) continue;
    const reason = owner !== null ? 'copied' : replaces === null ? 'new' : 'made_anew';
    return { id, reason, copyOf: owner?.path ?? null, replaces };
  }
  throw new Error('there are no more candidates');
}
