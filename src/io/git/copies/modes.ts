import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { copyIndex, indexGit, setting } from '../call/git.ts';
import { lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { readEntries, setEntries } from '../read/index-content.ts';
import type { RawChange } from '../read/parse-diff.ts';
import { changedTree } from '../trees/changed-tree.ts';

/** Modes of files where git is to overlook those that the files have (`core.fileMode = false`). */
type Modes = {
  /** A tree of the copy with the modes of the index of its own git. `index`: one of ours, for this. */
  readonly of: (treeId: string, index: string) => Promise<string>;
  /** Puts the modes that a change gave into that index. */
  readonly note: (changes: () => Promise<readonly RawChange[]>) => Promise<void>;
};

const FILE = /^100(?:644|755)$/;

/**
 * There an agent makes a file executable with `git update-index --chmod=+x`: in the index of the copy's own git, which is data that it
 * wrote, and no more than modes are taken from it.
 */
export function openModes(tree: WorkTree, agentGit: string): Modes {
  const agentIndex = join(agentGit, 'index');
  let overlooks: Promise<boolean> | null = null;
  const isOff = () => {
    overlooks ??= setting(tree, 'bool', 'core.fileMode').then((value) => value === 'false');
    return overlooks;
  };
  return {
    of: async (treeId, index) => {
      if (!(await isOff()) || lstatQuietly(agentIndex)?.isFile() !== true) return treeId;
      const staged = await modesIn(tree, agentIndex, `${index}-agent`);
      return changedTree(tree, index, treeId, async (git) => {
        const entries = (await readEntries(git)).flatMap((entry) => {
          const mode = staged.get(entry.path) ?? entry.mode;
          return FILE.test(entry.mode) && mode !== entry.mode ? [{ ...entry, mode }] : [];
        });
        await setEntries(git, entries);
      });
    },
    note: async (changes) => {
      if (!(await isOff())) return;
      const given = (await changes()).filter(
        ({ oldMode, newMode }) => FILE.test(newMode) && newMode !== (FILE.test(oldMode) ? oldMode : '100644'),
      );
      const git = indexGit({ kind: 'passing-index', tree, index: agentIndex });
      const entries = given.map(({ path, oldMode, oldOid, newMode, newOid }) => ({
        ...{ path, mode: newMode, oid: FILE.test(oldMode) ? oldOid : newOid },
      }));
      await setEntries(git, entries);
    },
  };
}

/** Modes of files in an index, by their paths; of one that isn't whole: none. `copy`: where it is read. */
async function modesIn(tree: WorkTree, index: string, copy: string): Promise<ReadonlyMap<string, string>> {
  try {
    copyIndex(index, copy);
    const entries = await readEntries(indexGit({ kind: 'passing-index', tree, index: copy }));
    return new Map(entries.flatMap(({ path, mode }) => (FILE.test(mode) ? [[path, mode] as const] : [])));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return new Map();
  } finally {
    rmSync(copy, { force: true });
  }
}
