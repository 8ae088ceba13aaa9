import { copyFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { trimBlanks } from 'ralph-kit/text';
import { type GitPurpose, gitCall } from './environment.ts';
import { type GitAnswer, type GitRequest, runGit } from './run-git.ts';
import type { WorkTree } from './work-tree.ts';

type Extra = { readonly env?: NodeJS.ProcessEnv };

/** Runs git on a repository's objects and refs, or on the user's index; hooks don't run. */
export function objectGit(
  tree: WorkTree,
  args: readonly string[],
  { env, ...request }: GitRequest & Extra = {},
): Promise<GitAnswer> {
  return runGit(gitCall({ kind: 'objects', tree }, env), args, request);
}

export async function objectText(
  tree: WorkTree,
  args: readonly string[],
  request: GitRequest & Extra = {},
): Promise<string> {
  return trimBlanks((await objectGit(tree, args, request)).stdout.toString('utf8'));
}

export type IndexGit = (
  args: readonly string[],
  input?: Buffer,
  answers?: readonly number[],
) => Promise<GitAnswer>;

/** Returns a function that runs git on one index. Only this process uses a passing index, so old locks are removed. */
export function indexGit(purpose: GitPurpose): IndexGit {
  if (purpose.kind === 'passing-index') rmSync(`${purpose.index}.lock`, { force: true });
  return (args, input, answers) => runGit(gitCall(purpose), args, { input, answers });
}

export function userIndexGit(tree: WorkTree): IndexGit {
  return indexGit({ kind: 'objects', tree });
}

/** Keeps the index's age: git rereads files as young as it, and would otherwise miss a change of equal size. */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

export type ObjectKind = 'blob' | 'tree' | 'commit' | 'tag';

export type GitObject = { readonly id: string; readonly kind: ObjectKind; readonly content: Buffer };

type ReadObjects = {
  /** Objects in the order of the request; `null` for names that don't exist. */
  readonly objects: readonly (GitObject | null)[];
  /** Whether objects beyond `maxBytes` were left out; the last one may be truncated. */
  readonly cut: boolean;
};

/**
 * Reads objects by their names. @param names In `git rev-parse` syntax, one character per byte, without line ends.
 * @throws GitError
 */
export async function readObjects(
  tree: WorkTree,
  names: readonly string[],
  maxBytes?: number,
): Promise<ReadObjects> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const { stdout, cut } = await objectGit(tree, ['cat-file', '--batch'], { input, maxBytes });
  const objects: (GitObject | null)[] = [];
  for (let at = 0; at < stdout.length; ) {
    const line = stdout.indexOf(0x0a, at);
    const end = line < 0 ? stdout.length : line;
    const [, id = '', kind = '', size] =
      /^([0-9a-f]+) (\w+) (\d+)$/.exec(stdout.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (size === undefined) {
      objects.push(null);
      continue;
    }
    objects.push({ id, kind: kind as ObjectKind, content: stdout.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return { objects, cut };
}
