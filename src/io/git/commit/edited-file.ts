import { isUtf8 } from 'node:buffer';
import type { HeadEdit } from '../../../domain/ports.ts';
import { objectGit, objectText, userIndexGit } from '../call/git.ts';
import { type BytePath, parsePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import type { RawChange } from '../read/parse-diff.ts';
import { parseIndexEntries } from '../read/parse-status.ts';

/** A file of which a commit holds no more than an edit, whatever else the work tree has of it. */
export type EditedFile = {
  readonly path: BytePath;
  readonly change: RawChange;
  /** The same edit of what the user has staged; `null`: that stays as it is. */
  readonly staged: RawChange | null;
};

/** `null` where HEAD doesn't hold the file, or the edit changes nothing there. */
export async function editHead(
  tree: WorkTree,
  head: string | null,
  wanted: HeadEdit | null,
): Promise<EditedFile | null> {
  if (head === null || wanted === null) return null;
  const path = parsePath(wanted.path);
  const listed = await objectGit(tree, ['ls-tree', '-z', head, '--', wanted.path]);
  const [, oldMode = '', oldOid = ''] =
    /^(100\d{3}) blob ([0-9a-f]+)\t/.exec(listed.stdout.toString('latin1')) ?? [];
  const newOid = oldOid === '' ? null : await edited(tree, oldOid, wanted);
  if (newOid === null) return null;
  const change = { status: 'M', path, oldPath: null, oldMode, newMode: oldMode, oldOid, newOid } as const;
  const entries = parseIndexEntries(
    (await userIndexGit(tree)(['ls-files', '-v', '-s', '-z', '--', wanted.path])).stdout,
  );
  const [entry] = entries;
  const isStaged = entry !== undefined && entry.oid !== oldOid;
  const stagedOid = isStaged ? await edited(tree, entry.oid, wanted) : newOid;
  const staged =
    entry === undefined || entries.length > 1 || stagedOid === null
      ? null
      : { ...change, newMode: entry.mode, newOid: stagedOid };
  return { path, change, staged };
}

/** The object with the edit; `null` where there is nothing to edit. */
async function edited(tree: WorkTree, oid: string, { edit }: HeadEdit): Promise<string | null> {
  const { stdout } = await objectGit(tree, ['cat-file', 'blob', oid]);
  if (!isUtf8(stdout)) return null;
  const text = stdout.toString('utf8');
  const now = await edit(text);
  if (now === null || now === text) return null;
  return objectText(tree, ['hash-object', '-w', '--no-filters', '--stdin'], { input: now });
}
