import { relative, resolve } from 'node:path';
import { KEPT_REFS } from './checkpoint.ts';
import { OWN_IDENTITY } from './nested.ts';
import { GitError } from './run-git.ts';
import { objectGit, type WorkTree } from './work-tree.ts';

/** What a checkpoint of the kind that is never pruned holds. */
export type KeptContent = {
  readonly tree: string;
  /** A commit that comes with it, so that git keeps that too: HEAD, or what stands for a submodule. */
  readonly parent: string | null;
  /** A tree of bytes that `tree` cannot hold. */
  readonly raw: string | null;
  readonly note: string;
  /** Of the holding; empty where nothing is to be compared. */
  readonly mark: string;
  /** Checkpoints in the repositories of submodules that belong to it. */
  readonly inside: readonly InsideKept[];
};

export type InsideKept = { readonly gitDir: string; readonly id: string };

/** Two processes may reach for the same number. */
const NUMBER_TRIES = 20;

/** Keeps content under the next free `kept/N`, and returns that id. */
export async function keepContent(tree: WorkTree, content: KeptContent): Promise<string> {
  const { parent, raw, mark, inside } = content;
  const rawCommit = raw === null ? null : await commitTree(tree, raw, [], 'ralph raw content\n');
  const lines = [
    content.note.replace(/\s+/g, ' ').trim(),
    '',
    ...(rawCommit === null ? [] : [`raw ${rawCommit}`]),
    ...(mark === '' ? [] : [`mark ${mark}`]),
    ...inside.map(({ gitDir, id }) => `inside ${id} ${JSON.stringify(relative(tree.commonDir, gitDir))}`),
  ];
  const parents = [parent, rawCommit].filter((commit) => commit !== null);
  return keepCommit(tree, await commitTree(tree, content.tree, parents, `${lines.join('\n')}\n`));
}

/** Keeps a commit that is there already. */
export async function keepCommit(tree: WorkTree, commit: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const listed = await objectGit(tree, ['for-each-ref', '--format=%(refname)', KEPT_REFS]);
    const numbers = listed.stdout
      .toString('utf8')
      .split('\n')
      .map((ref) => Number(ref.slice(KEPT_REFS.length)))
      .filter((number) => number > 0);
    const number = Math.max(0, ...numbers) + 1;
    try {
      await objectGit(tree, ['update-ref', `${KEPT_REFS}${number}`, commit, '0'.repeat(commit.length)]);
      return `kept/${number}`;
    } catch (error) {
      if (!(error instanceof GitError) || tries === NUMBER_TRIES) throw error;
    }
  }
}

async function commitTree(
  tree: WorkTree,
  treeId: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = ['commit-tree', treeId, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  const made = await objectGit(tree, args, { env: OWN_IDENTITY, input: message });
  return made.stdout.toString('utf8').trim();
}

/** What the body of a kept commit's message says. */
export function parseKeptBody(tree: WorkTree, body: string) {
  const raw = /^raw ([0-9a-f]+)$/m.exec(body)?.[1] ?? null;
  const mark = /^mark ([0-9a-f]+)$/m.exec(body)?.[1] ?? '';
  const inside = [...body.matchAll(/^inside (kept\/\d+) (".*")$/gm)].map(([, id = '', folder = '""']) => ({
    id,
    gitDir: resolve(tree.commonDir, JSON.parse(folder) as string),
  }));
  return { raw, mark, inside };
}
