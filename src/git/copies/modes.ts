import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyIndex, indexGit } from '../call/git.ts';
import { gitOr } from '../call/run-git.ts';
import { setting } from '../call/settings.ts';
import { tryLstat, type WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { editedTree } from '../objects/questions.ts';
import type { RawChange } from '../objects/tree-entries.ts';
import { readEntries, setEntries } from '../read/index-content.ts';

const FILE = /^100(?:644|755)$/;

/** With `core.fileMode = false`, agents use `git update-index --chmod=+x`. Only modes are read from their index. */
export function openModes(tree: WorkTree, agentGit: string) {
  const agentIndex = join(agentGit, 'index');
  let overlooks: Promise<boolean> | null = null;
  const isOff = () => {
    overlooks ??= setting(tree, 'bool', 'core.fileMode').then((value) => value === 'false');
    return overlooks;
  };
  return {
    /** Returns a tree with the modes in the index of the agent's git. @param index Path for a temporary index. */
    of: async (treeId: string, index: string): Promise<string> => {
      if (!(await isOff()) || tryLstat(agentIndex)?.isFile() !== true) return treeId;
      const staged = await modesIn(tree, agentIndex, `${index}-agent`);
      const files = await (await objectsOf(tree)).files(treeId);
      const edits = files.flatMap(({ path, oid, mode: old }) => {
        const mode = staged.get(path) ?? old;
        return FILE.test(old) && mode !== old ? [[path, { mode, oid }] as const] : [];
      });
      return editedTree(tree, treeId, new Map(edits));
    },
    note: async (changes: () => Promise<readonly RawChange[]>): Promise<void> => {
      if (!(await isOff())) return;
      const given = (await changes()).filter(
        ({ oldMode, newMode }) => FILE.test(newMode) && newMode !== (FILE.test(oldMode) ? oldMode : '100644'),
      );
      const git = indexGit({ kind: 'passing-index', tree, index: agentIndex });
      const entries = given.map(({ path, oldMode, oldOid, newMode, newOid }) => ({
        path,
        mode: newMode,
        oid: FILE.test(oldMode) ? oldOid : newOid,
      }));
      await setEntries(git, entries);
    },
  };
}

/** Returns file modes in an index by path; empty when the index is damaged. @param copy Path for a temporary copy. */
async function modesIn(tree: WorkTree, index: string, copy: string): Promise<ReadonlyMap<string, string>> {
  copyIndex(index, copy);
  const git = indexGit({ kind: 'passing-index', tree, index: copy });
  const entries = await gitOr([], () => readEntries(git)).finally(() => rmSync(copy, { force: true }));
  return new Map(entries.flatMap(({ path, mode }) => (FILE.test(mode) ? [[path, mode] as const] : [])));
}
