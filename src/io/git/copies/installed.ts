import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeFileAtomic } from '../../store/files/atomic-file.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { readIfThere } from './seed.ts';

const Known = z.object({
  /** What git ignored in the checkout then. */
  stamp: z.string(),
  /** Texts of lock files by path; `null`: there was no such file. */
  locks: z.record(z.string(), z.nullable(z.string())),
});
type Known = z.infer<typeof Known>;

/** By which lock files the packages of a checkout were installed. */
type Installed = {
  /** What git ignores there is seen: once it is another than before, the lock files of now are those. */
  readonly look: (stamp: string) => void;
  /** The text of one, as it was when it was asked for first: what lands changes the file, and installs nothing. */
  readonly by: (path: string) => string | null;
};

/** @param file Where that is kept; asked for when it is needed. */
export function openInstalled(tree: WorkTree, file: () => string): Installed {
  const write = (known: Known) => writeFileAtomic(file(), JSON.stringify(known));
  return {
    look: (stamp) => {
      if (read(file())?.stamp !== stamp) write({ stamp, locks: {} });
    },
    by: (path) => {
      const known = read(file());
      const before = known?.locks[path];
      if (before !== undefined) return before;
      const now = readIfThere(join(tree.top, path));
      if (known !== null) write({ ...known, locks: { ...known.locks, [path]: now } });
      return now;
    },
  };
}

function read(file: string): Known | null {
  try {
    return Known.parse(JSON.parse(readIfThere(file) ?? ''));
  } catch {
    return null;
  }
}
