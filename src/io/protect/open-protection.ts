import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Protected, type Protection, type Store, StoreError } from '../../domain/ports.ts';
import { GitManifest, type GitProtection, type RestorePlace } from '../git/protect/git-protection.ts';
import { replaceFile } from '../store/files/atomic-file.ts';
import { readPlainFile } from '../store/files/plain-file.ts';
import { orStoreError } from '../store/store-error.ts';
import { iterationPath, pathInside } from '../store/store-paths.ts';

/** What an attempt started from: written before its agent starts, removed when it is on record. */
const OpenRecord = z.object({
  run: z.string(),
  iteration: z.number(),
  git: GitManifest,
  /** Of the store's guard. */
  store: z.looseObject({}),
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
  return {
    begin: async (run, iteration, trackerPaths) => {
      const guard = store.guard(trackerPaths);
      const manifest = await git.capture();
      const record: OpenRecord = { run, iteration, git: manifest, store: { ...guard.manifest } };
      writeRecord(folder, record);
      return {
        follow: git.follow,
        restore: async () => [
          ...guard.restore(run, iteration),
          ...(await git.restore(manifest, placeOf(dir, run, iteration))),
        ],
        release: () => {
          guard.release();
          rmSync(recordPath(folder), { force: true });
        },
      } satisfies Protected;
    },
    end: git.forget,
  };
}

export function placeOf(dir: string, run: string, iteration: number): RestorePlace {
  const shownAs = join(iterationPath(run, iteration), 'set-aside');
  return {
    shownAs,
    setAside: pathInside(dir, shownAs),
    keepUnder: `${run}/${iteration}`,
  };
}

function recordPath(folder: string): string {
  return join(folder, 'open.json');
}

function writeRecord(folder: string, record: OpenRecord): void {
  orStoreError('What is protected while the agent works cannot be written', () =>
    replaceFile(recordPath(folder), JSON.stringify(record), {
      ...{ mode: 0o600, durability: 'none', folderMode: 0o700 },
    }),
  );
}

/** What a process that died left open; `null`: nothing. @throws StoreError where it can't be read. */
export function readRecord(folder: string): OpenRecord | null {
  const path = recordPath(folder);
  const file = orStoreError('What was protected can’t be read', () => readPlainFile(path));
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
