import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, namesIn, plainText, readJson } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { orStoreError } from 'ralph-kit/files/store-error';
import { startSync } from 'ralph-kit/programs/start/start-program';
import * as z from 'zod/mini';

const ID_FORM = /^[0-9a-f]{16}$/;
/** File with the id in the git folder shared by all work trees. */
const ID_FILE = join('ralph', 'id');
/** File in the home that names its git folder. */
const OWNER_FILE = 'repository.json';
const MAX_FILE = 4096;

const Owner = z.object({
  path: z.string(),
  ino: z.number(),
  /** First commits of the history; absent before the first commit. */
  roots: z.optional(z.array(z.string())),
  /** Another repository replaced this one, so the path no longer identifies it. */
  replaced: z.optional(z.literal(true)),
});
type Owner = z.infer<typeof Owner>;

/** ralph's data about a repository, outside of it. */
export type RepositoryHome = Omit<HomeChoice, 'id'> & {
  /** Absolute; the folder may not exist yet. */
  readonly path: string;
  /** Makes the folder and records the relation on both sides. @throws StoreError */
  readonly prepare: () => void;
};

/**
 * Finds a repository's state home without writing. A new one is named after the current path, so that two concurrent
 * commands choose the same.
 * @param commonDir Git folder shared by all work trees.
 * @param base Absolute folder of all state homes.
 */
export function findHome(commonDir: string, base: string): RepositoryHome {
  const path = realpathSync(commonDir);
  const gitFolder = { path, ino: statSync(path).ino };
  const { id, ...why } = whichHome(gitFolder, readId(path), knownHomes(base, path), candidates(path));
  const home = join(base, id);
  const old = why.replaces === null ? null : join(base, why.replaces);
  return {
    ...why,
    path: home,
    prepare: () => {
      const before = old === null ? null : readOwner(old);
      // Data of a repository that no longer exists is kept for you.
      if (old !== null && before !== null)
        orStoreError('An old record cannot be set aside', () =>
          writeOwner(old, { ...before, replaced: true }),
        );
      prepare(home, id, gitFolder);
    },
  };
}

/** Returns the git folders of all repositories with a state home, as far as they are still there. */
export function knownGitFolders(base: string): string[] {
  return namesIn(base).flatMap((id) => {
    const owner = ID_FORM.test(id) ? readOwner(join(base, id)) : null;
    const isThere = owner !== null && owner.replaced === undefined && lstatOrNull(owner.path) !== null;
    return isThere ? [owner.path] : [];
  });
}

function* candidates(path: string): Generator<string> {
  for (let number = 0; ; number += 1) yield sha256(`${path}\0${number}`).slice(0, 16);
}

function knownHomes(base: string, gitDir: string): KnownHomes {
  const of = (id: string) => readOwner(join(base, id));
  return {
    of,
    at: (path) =>
      namesIn(base).flatMap((id) => {
        const owner = ID_FORM.test(id) ? of(id) : null;
        return owner?.path === path && owner.replaced === undefined ? [{ id, ino: owner.ino }] : [];
      }),
    isOther: (id) => lacksAll(gitDir, of(id)?.roots ?? []),
    inoAt: (path) => Number(lstatOrNull(path)?.ino ?? -1n),
  };
}

function prepare(home: string, id: string, gitFolder: GitFolder): void {
  orStoreError('The folder for what ralph keeps outside of the repository cannot be made', () => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const owner = readOwner(home);
    const isKnown =
      owner?.path === gitFolder.path && owner.ino === gitFolder.ino && owner.replaced === undefined;
    if (!isKnown || owner.roots === undefined) {
      // First commits identify the repository later; empty before the first.
      const { status, stdout } = git(gitFolder.path, ['rev-list', '--max-parents=0', 'HEAD']);
      const roots = status === 0 ? stdout.split('\n').filter(isCommit).slice(0, MOST_ROOTS) : [];
      const now: Owner = roots.length === 0 ? gitFolder : { ...gitFolder, roots: [...roots] };
      if (!isKnown || now.roots !== undefined) writeOwner(home, now);
    }
    if (readId(gitFolder.path) === id) return;
    mkdirSync(join(gitFolder.path, 'ralph'), { recursive: true });
    replaceFile(join(gitFolder.path, ID_FILE), `${id}\n`);
  });
}

function writeOwner(home: string, owner: Owner): void {
  replaceFile(join(home, OWNER_FILE), `${JSON.stringify(owner)}\n`, { mode: 0o600 });
}

function readId(gitDir: string): string | null {
  const text = plainText(join(gitDir, ID_FILE), MAX_FILE)?.trim() ?? '';
  return ID_FORM.test(text) ? text : null;
}

function readOwner(home: string): Owner | null {
  return readJson(join(home, OWNER_FILE), Owner, MAX_FILE);
}

export type GitFolder = { readonly path: string; readonly ino: number };

/** Git folders recorded in state homes. */
type KnownHomes = {
  /** `null` for a missing or empty home. */
  readonly of: (id: string) => GitFolder | null;
  readonly at: (path: string) => readonly { readonly id: string; readonly ino: number }[];
  /** Returns the inode number at a path; `null` when nothing is there. */
  readonly inoAt: (path: string) => number | null;
  /** Whether the git folder has nothing of the history that a home recorded. */
  readonly isOther: (id: string) => boolean;
};

type HomeChoice = {
  readonly id: string;
  /** Why another home than that of the id found, or of a new repository, was chosen. */
  readonly reason: 'same' | 'new' | 'moved' | 'copied' | 'lost_id' | 'changed_id' | 'made_anew';
  readonly copyOf: string | null;
  /** Home of an earlier repository at this path, which was replaced by a new one. */
  readonly replaces: string | null;
};

/**
 * Returns a git folder's state home. The recorded path counts more than the id, which programs can change, as long as
 * the history exists; the id identifies a moved repository. An id whose home belongs to another existing folder came
 * with a copy and doesn't count.
 * @param found Id in the folder; `null`: none.
 * @param candidates Ids for a new home, in order.
 */
export function whichHome(
  gitFolder: GitFolder,
  found: string | null,
  homes: KnownHomes,
  candidates: Iterable<string>,
): HomeChoice {
  const owner = found === null ? null : homes.of(found);
  const plain = { copyOf: null, replaces: null };
  if (found !== null && owner?.path === gitFolder.path) return { id: found, reason: 'same', ...plain };
  const own = homes.at(gitFolder.path);
  const remembered = own.find(({ ino }) => ino === gitFolder.ino) ?? own[0];
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

/** Merged unrelated histories have several first commits. */
const MOST_ROOTS = 20;
const LIMIT_MS = 20_000;

/** Whether a repository has none of these commits; false when git can't tell. */
function lacksAll(gitDir: string, commits: readonly string[]): boolean {
  return (
    commits.length > 0 &&
    commits.every((one) => isCommit(one) && git(gitDir, ['cat-file', '-e', one]).status === 1)
  );
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}

function git(gitDir: string, args: readonly string[]) {
  const { PATH, HOME } = process.env;
  return startSync('git', ['-c', 'core.commitGraph=false', `--git-dir=${gitDir}`, ...args], {
    cwd: gitDir,
    env: { PATH, HOME, LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  });
}
