import { join } from 'node:path';
import { trimBlanks } from 'ralph-kit/text';
import { GitError } from '../../domain/ports.ts';
import { indexGit } from '../call/git.ts';
import { type BytePath, parsePath, printPath } from '../call/git-path.ts';
import { inOwnFolder, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead, treeDiff } from '../diff/diff.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { editedTree, editsOf, moveRefs, revision, treeOf, writeText } from '../objects/questions.ts';
import { usersEntries } from '../objects/users-index.ts';

/** Returns a tree like `base` with these paths as in `from`. @throws GitError */
export async function composeTree(
  tree: WorkTree,
  { base, from, paths }: { readonly base: string; readonly from: string; readonly paths: readonly string[] },
): Promise<string> {
  const wanted = new Set(paths.map(parsePath));
  const changes = (await changesFromHead(tree, base, from)).filter(({ path }) => wanted.has(path));
  return changes.length === 0 ? base : editedTree(tree, base, editsOf(changes));
}

/** Returns a complete patch for `git apply`, including binary files. */
export async function wholePatch(tree: WorkTree, from: string, to: string): Promise<Buffer> {
  return (await treeDiff(tree, ['-p', '--binary', '--full-index', '--no-renames', from, to])).stdout;
}

/** Returns the tree after applying a patch of `wholePatch`; `null` when it doesn't apply cleanly. @throws GitError */
export async function applyToTree(tree: WorkTree, onto: string, patch: Buffer): Promise<string | null> {
  return inOwnFolder(tree, async (folder) => {
    const git = indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') });
    await git(['read-tree', onto]);
    const args = ['apply', '--cached', '--binary', '--whitespace=nowarn', '-'];
    const { code, stderr } = await git(args, patch, [1, 128]);
    // Git notices a file in place of a folder only while writing.
    if (code === 128 && !stderr.includes('appears as both a file and as a directory'))
      throw new GitError(`git apply ended with 128: ${stderr.trim()}`);
    return code === 0 ? (await git(['write-tree', '--missing-ok'])).stdout.toString('utf8').trim() : null;
  });
}

/** Returns the user's staged content as a tree. @throws GitError on a conflict. */
export async function stagedTree(tree: WorkTree): Promise<string> {
  const entries = await usersEntries(tree);
  const conflict = entries.find(({ stage }) => stage > 0);
  if (conflict !== undefined) throw new GitError(`${printPath(conflict.path)} is in conflict`);
  return editedTree(tree, null, new Map(entries.map((entry) => [entry.path, entry])));
}

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
