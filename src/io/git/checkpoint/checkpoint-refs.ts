import { objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Where the refs of all checkpoints are, and of those that only the user drops. */
export const CHECKPOINT_REFS = 'refs/ralph/checkpoints/';
export const KEPT_REFS = `${CHECKPOINT_REFS}kept/`;

const FIELDS = ['refname', 'committerdate:unix', 'tree', 'parent', 'contents:subject', 'contents:body'];

/** The refs below a name, with the commits they are at; `at` in milliseconds since 1970. */
export async function listRefs(tree: WorkTree, name: string) {
  const format = FIELDS.map((field) => `%(${field})%00`).join('');
  const listed = await objectGit(tree, ['for-each-ref', `--format=${format}`, name]);
  const fields = listed.stdout.toString('utf8').split('\0');
  return Array.from({ length: Math.floor(fields.length / FIELDS.length) }, (_, record) => {
    const from = record * FIELDS.length;
    const [ref = '', at, treeId = '', parents = '', subject = '', body = ''] = fields.slice(
      from,
      from + FIELDS.length,
    );
    return {
      // Git ends each record with a newline.
      ref: ref.trim(),
      at: Number(at) * 1000,
      tree: treeId,
      parents: parents.split(' ').filter(Boolean),
      subject,
      body,
    };
  });
}
