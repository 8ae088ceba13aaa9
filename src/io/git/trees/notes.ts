import { GitError } from '../../../domain/ports.ts';
import { trimBlanks } from '../../../lib/text.ts';
import { commitTree, moveRefs, objectGit, objectText, revision, writeText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { changedTree } from './changed-tree.ts';

/** Another process may write a note of the same ref meanwhile. */
const TRIES = 20;

/**
 * Adds lines to the note of a commit, behind what it has, as `git notes append` does, and never over a note that came meanwhile.
 *
 * @see The port `Git` for parameters.
 * @throws GitError
 */
export async function appendNote(
  tree: WorkTree,
  indexFile: string,
  { ref, commit, text }: { readonly ref: string; readonly commit: string; readonly text: string },
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const old = await revision(tree, ref);
    const note = old === null ? null : await noteOf(tree, old, commit);
    const before =
      note === null ? '' : `${trimBlanks(await objectText(tree, ['cat-file', 'blob', note.id]))}\n\n`;
    const blob = await writeText(tree, before + text);
    const made = await changedTree(tree, indexFile, old === null ? null : `${old}^{tree}`, async (git) => {
      await git(['update-index', '--index-info'], Buffer.from(`100644 ${blob}\t${note?.path ?? commit}\n`));
    });
    const next = await commitTree(tree, made, old === null ? [] : [old], 'Notes added by ralph verify\n');
    if (await moveRefs(tree, [`update ${ref} ${next} ${old ?? '0'.repeat(next.length)}`])) return;
  }
  throw new GitError(`${ref} can't be written: something else writes it.`);
}

/** Where the notes of a commit are, in folders of git's choice. */
async function noteOf(tree: WorkTree, notes: string, commit: string) {
  const { stdout } = await objectGit(tree, ['ls-tree', '-r', '-z', notes]);
  for (const entry of stdout.toString('latin1').split('\0')) {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/.exec(entry) ?? [];
    if (id !== undefined && path?.replaceAll('/', '') === commit) return { id, path };
  }
  return null;
}
