import { trimBlanks } from 'ralph-kit/text';
import { GitError } from '../../domain/ports.ts';
import type { BytePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { editedTree, moveRefs, revision, treeOf, writeText } from '../objects/questions.ts';

/** Another process may write notes of the same ref meanwhile. */
const TRIES = 20;

/** Appends like `git notes append`, without overwriting a concurrent note. @see `Git` @throws GitError */
export async function appendNote(
  tree: WorkTree,
  { ref, commit, text }: { readonly ref: string; readonly commit: string; readonly text: string },
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const old = await revision(tree, ref);
    const note = old === null ? null : await noteOf(tree, old, commit);
    const before = note === null ? null : await (await objectsOf(tree)).read(note.oid);
    const above = before === null ? '' : `${trimBlanks(before.content.toString('utf8'))}\n\n`;
    const blob = await writeText(tree, above + text);
    const edits = new Map([[(note?.path ?? commit) as BytePath, { mode: '100644', oid: blob }]]);
    const made = await editedTree(tree, old, edits);
    const parents = old === null ? [] : [old];
    const next = await makeCommit(tree, made, parents, 'Notes added by ralph verify\n', { who: 'ralph' });
    if (await moveRefs(tree, [`update ${ref} ${next} ${old ?? '0'.repeat(next.length)}`])) return;
  }
  throw new GitError(`${ref} can't be written: something else writes it.`);
}

/** Git spreads notes over folders. */
async function noteOf(tree: WorkTree, notes: string, commit: string) {
  const objects = await objectsOf(tree);
  const files = await objects.files(await treeOf(tree, notes));
  return files.find(({ path }) => path.replaceAll('/', '') === commit) ?? null;
}
