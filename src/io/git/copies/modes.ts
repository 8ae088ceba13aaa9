import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { copyIndex, indexGit } from '../call/git.ts';
import { setting } from '../call/settings.ts';
import { lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { editedTree } from '../objects/questions.ts';
import type { RawChange } from '../objects/raw-change.ts';
import { readEntries, setEntries } from '../read/index-content.ts';

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
      const files = await (await objectsOf(tree)).files(treeId);
      const edits = files.flatMap(({ path, oid, mode: old }) => {
        const mode = staged.get(path) ?? old;
        return FILE.test(old) && mode !== old ? [[path, { mode, oid }] as const] : [];
      });
      return editedTree(tree, treeId, new Map(edits));
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
