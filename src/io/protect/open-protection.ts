import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { type Protected, type Protection, type Store, StoreError } from '../../domain/ports.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import { GitManifest, type GitProtection, type RestorePlace } from '../git/protect/git-protection.ts';
import { replaceFile } from '../store/files/atomic-file.ts';
import { readPlainFile } from '../store/files/plain-file.ts';
import { refuseMoved } from '../store/files/same-folder.ts';
import { GuardManifest } from '../store/guard/guard.ts';
import { acquireLock } from '../store/lock/lock.ts';
import { orStoreError, storeError } from '../store/store-error.ts';
import { pathInside } from '../store/store-paths.ts';

/** What an attempt started from: written before its agent starts, removed when it is on record. */
const OpenRecord = z.object({
  run: z.string(),
  iteration: z.number(),
  git: GitManifest,
  /** Of the store's guard. */
  store: GuardManifest,
});
type OpenRecord = z.infer<typeof OpenRecord>;

export type ProtectionParts = {
  readonly store: Store;
  readonly git: GitProtection;
  /** `.ralph` */
  readonly dir: string;
  /** Outside of the repository, for this work tree alone. */
  readonly folder: string;
};

/** Keeps what ralph relies on the same from before an agent starts until its attempt is on record. */
export function openProtection({ store, git, dir, folder }: ProtectionParts): Protection {
  let unlock: (() => void) | null = null;
  return {
    begin: async (run, iteration, orders) => {
      unlock ??= lockRecord(folder, LOCK_WAIT_MS);
      const guard = store.guard(orders);
      const manifest = await captured(git);
      const write = () => writeRecord(folder, { run, iteration, git: manifest, store: guard.manifest() });
      write();
      return {
        follow: git.follow,
        restore: async (yours) => {
          refuseMoved(dirname(dir));
          const { restored, edited } = guard.restore(run, iteration, yours);
          if (edited.length > 0) write();
          const ofGit = await restoreGit(git, manifest, placeOf(dir, run, iteration));
          return { restored: [...restored, ...ofGit], edited };
        },
        release: () => {
          removeRecord(folder);
        },
      } satisfies Protected;
    },
    end: () => {
      git.forget();
      unlock?.();
      unlock = null;
    },
  };
}

async function captured(git: GitProtection): Promise<GitManifest> {
  try {
    return await git.capture();
  } catch (error) {
    throw storeError("What is protected in git's folder cannot be read", error);
  }
}

/** How long a run waits for a command that puts back what an earlier one left, in milliseconds. */
const LOCK_WAIT_MS = 30_000;

/**
 * Held as long as a run protects something, so that no other process takes its record for that of a dead one.
 *
 * @returns what releases it; `null`: another process that is alive holds it.
 */
export function lockRecord(folder: string, waitMs: number): (() => void) | null {
  return orStoreError('What ralph keeps outside of the repository cannot be locked', () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = acquireLock(join(folder, 'lock'), { waitMs });
    return lock.ok ? lock.release : null;
  });
}

/** @throws StoreError, GitError where something can't be put back: its record stays, and the next start tries again. */
export async function restoreGit(git: GitProtection, before: GitManifest, place: RestorePlace) {
  try {
    return await git.restore(before, place);
  } catch (error) {
    throw storeError("What changed in git's folder while the agent worked cannot be put back", error);
  }
}

export function placeOf(dir: string, run: string, iteration: number): RestorePlace {
  const shownAs = join(iterationPath({ run, iteration }), 'set-aside');
  return {
    shownAs,
    setAside: pathInside(dir, shownAs),
    keepUnder: `${run}/${iteration}`,
  };
}

export function removeRecord(folder: string): void {
  rmSync(recordPath(folder), { force: true });
}

function recordPath(folder: string): string {
  return join(folder, 'open.json');
}

function writeRecord(folder: string, record: Omit<OpenRecord, 'store'> & { store: object }): void {
  orStoreError('What is protected while the agent works cannot be written', () =>
    replaceFile(recordPath(folder), JSON.stringify(record), {
      ...{ mode: 0o600, durability: 'none', folderMode: 0o700 },
    }),
  );
}

/** What a process that died left open; `null`: nothing. @throws StoreError where it can't be read. */
export function readRecord(folder: string): OpenRecord | null {
  const path = recordPath(folder);
  const file = orStoreError("What was protected can't be read", () => readPlainFile(path));
  if (file.kind === 'absent') return null;
  try {
    if (file.kind === 'file') return OpenRecord.parse(JSON.parse(file.bytes.toString('utf8')));
  } catch {
    // Said below: whatever is wrong with it, the message is the same.
  }
  throw new StoreError(
    `A run was cut off, and what it protected can't be restored: ${path} is damaged. Check \`git status\` and .ralph/ralph.toml, remove that file, then run again.`,
  );
}
