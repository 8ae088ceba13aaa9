import { GitError } from '../../../domain/ports.ts';
import { commitTree, objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { KEPT_REFS, listRefs } from './checkpoint-refs.ts';

/** What a checkpoint of the kind that is never pruned holds. */
export type KeptContent = {
  readonly tree: string;
  /** HEAD of that moment, so that git keeps it too; `null` before the first commit. */
  readonly head: string | null;
  /** A tree of bytes that `tree` can't hold; `null` when there are none. */
  readonly raw: string | null;
  readonly note: string;
};

/** Two processes may reach for the same number. */
const NUMBER_TRIES = 20;

/** Keeps content under the next free `kept/N`, and returns that id. */
export async function keepContent(tree: WorkTree, content: KeptContent): Promise<string> {
  const { head, raw } = content;
  const rawCommit = raw === null ? null : await commitTree(tree, raw, [], 'ralph raw content\n');
  const subject = content.note.replace(/\s+/g, ' ').trim();
  const body = rawCommit === null ? '' : `\nraw ${rawCommit}\n`;
  const parents = [head, rawCommit].filter((commit) => commit !== null);
  const commit = await commitTree(tree, content.tree, parents, `${subject}\n${body}`);
  for (let tries = 1; ; tries += 1) {
    const numbers = (await listRefs(tree, KEPT_REFS)).map(({ ref }) => Number(ref.slice(KEPT_REFS.length)));
    const number = Math.max(0, ...numbers.filter((one) => one > 0)) + 1;
    try {
      await objectGit(tree, ['update-ref', `${KEPT_REFS}${number}`, commit, '0'.repeat(commit.length)]);
      return `kept/${number}`;
    } catch (error) {
      if (!(error instanceof GitError) || tries === NUMBER_TRIES) throw error;
    }
  }
}

/** The commit with the raw bytes that a kept commit's message names; `null` when there is none. */
export function rawCommitIn(body: string): string | null {
  return /^raw ([0-9a-f]+)$/m.exec(body)?.[1] ?? null;
}
