import { copyFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { trimBlanks } from '../../../lib/text.ts';
import { type GitPurpose, gitCall } from './environment.ts';
import { type GitAnswer, type GitRequest, runGit } from './run-git.ts';
import type { WorkTree } from './work-tree.ts';

/** Variables of one call beside those of its purpose. */
type Extra = { readonly env?: NodeJS.ProcessEnv };

/** Reads or writes objects and refs of a repository, or the user's index; hooks don't run. */
export function objectGit(
  tree: WorkTree,
  args: readonly string[],
  { env, ...request }: GitRequest & Extra = {},
): Promise<GitAnswer> {
  return runGit(gitCall({ kind: 'objects', tree }, env), args, request);
}

/** The same for output that is one line or a few. */
export async function objectText(
  tree: WorkTree,
  args: readonly string[],
  request: GitRequest & Extra = {},
): Promise<string> {
  return trimBlanks((await objectGit(tree, args, request)).stdout.toString('utf8'));
}

/** Calls on one index. */
export type IndexGit = (
  args: readonly string[],
  input?: Buffer,
  answers?: readonly number[],
) => Promise<GitAnswer>;

/** On one of ours; for `objects` on the user's. What a killed git left locked of a passing one is unlocked: this process alone has it. */
export function indexGit(purpose: GitPurpose): IndexGit {
  if (purpose.kind === 'passing-index') rmSync(`${purpose.index}.lock`, { force: true });
  return (args, input, answers) => runGit(gitCall(purpose), args, { input, answers });
}

export function userIndexGit(tree: WorkTree): IndexGit {
  return indexGit({ kind: 'objects', tree });
}

/**
 * Copies an index with its age: git reads files again that are as young as their index, and a younger copy would have it believe that a
 * file of the same size is the same file.
 */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

type ReadObject = { readonly id: string; readonly kind: string; readonly content: Buffer };

type ReadObjects = {
  /** In the order in which they were asked for; `null`: there is none with this name. */
  readonly objects: readonly (ReadObject | null)[];
  /** They are more than `maxBytes` together: what comes behind is left out, and the last may be cut. */
  readonly cut: boolean;
};

/**
 * Reads objects in one call.
 *
 * @param names As `git rev-parse` takes them, one character per byte, without a line end.
 * @throws GitError
 */
export async function readObjects(
  tree: WorkTree,
  names: readonly string[],
  maxBytes?: number,
): Promise<ReadObjects> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const { stdout, cut } = await objectGit(tree, ['cat-file', '--batch'], { input, maxBytes });
  const objects: (ReadObject | null)[] = [];
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
    objects.push({ id, kind, content: stdout.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return { objects, cut };
}
