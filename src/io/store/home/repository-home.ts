import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceFile } from '../../files/atomic-file.ts';
import { namesIn } from '../../files/names-in.ts';
import { lstatOrNull } from '../../files/plain-file.ts';
import { plainText, readJson } from '../../files/plain-text.ts';
import { orStoreError } from '../../files/store-error.ts';
import { sha256 } from '../../ids.ts';
import { lacksAll, rootCommits } from './root-commits.ts';
import { type GitFolder, type HomeChoice, type KnownHomes, whichHome } from './which-home.ts';

const ID_FORM = /^[0-9a-f]{16}$/;
/** The id, in the git folder that all work trees share. */
const ID_FILE = join('ralph', 'id');
/** In the home: which git folder it belongs to. */
const OWNER_FILE = 'repository.json';
const MAX_FILE = 4096;

const Owner = z.object({
  path: z.string(),
  ino: z.number(),
  /** The commits that its history begins with; absent before the first. */
  roots: z.optional(z.array(z.string())),
  /** Another repository was made at its path: it isn't known by that any more. */
  replaced: z.optional(z.literal(true)),
});
type Owner = z.infer<typeof Owner>;

/** What ralph keeps of a repository outside of it. */
export type RepositoryHome = Omit<HomeChoice, 'id'> & {
  /** Absolute; the folder may not be there yet. */
  readonly path: string;
  /** Makes the folder, and writes down where it belongs on both sides. @throws StoreError */
  readonly settle: () => void;
};

/**
 * Finds the state home of a repository; nothing is written. A new one is named after the path that the repository has
 * then, so that two commands which begin at once choose the same.
 *
 * @param commonDir The git folder that all work trees share.
 * @param base The folder of all state homes, absolute.
 */
export function findHome(commonDir: string, base: string): RepositoryHome {
  const path = realpathSync(commonDir);
  const here = { path, ino: statSync(path).ino };
  const { id, ...why } = whichHome(here, readId(path), knownHomes(base, path), candidates(path));
  const home = join(base, id);
  const old = why.replaces === null ? null : join(base, why.replaces);
  return {
    ...why,
    path: home,
    settle: () => {
      if (old !== null) setAside(old);
      settle(home, id, here);
    },
  };
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

function settle(home: string, id: string, here: GitFolder): void {
  orStoreError('The folder for what ralph keeps outside of the repository cannot be made', () => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const owner = readOwner(home);
    const isKnown = owner?.path === here.path && owner.ino === here.ino && owner.replaced === undefined;
    if (!isKnown || owner.roots === undefined) {
      const roots = rootCommits(here.path);
      const now: Owner = roots.length === 0 ? here : { ...here, roots: [...roots] };
      if (!isKnown || now.roots !== undefined) writeOwner(home, now);
    }
    if (readId(here.path) === id) return;
    mkdirSync(join(here.path, 'ralph'), { recursive: true });
    replaceFile(join(here.path, ID_FILE), `${id}\n`);
  });
}

/** What is kept of a repository that isn't there any more stays, for you to look at. */
function setAside(home: string): void {
  const owner = readOwner(home);
  if (owner !== null)
    orStoreError('An old record cannot be set aside', () => writeOwner(home, { ...owner, replaced: true }));
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
