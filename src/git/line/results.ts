import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { onOneLine } from 'ralph-kit/text';
import { withTrailers } from 'ralph-kit/trailers';
import * as z from 'zod/mini';
import type { ResultId } from '../../domain/ports.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { writeText } from '../objects/questions.ts';

export type KeptResult = ResultId & {
  /** Name of the result, `TASK/N`, as in refs. */
  readonly name: string;
  readonly commit: string;
  /** Commit of the line that the result was made on. */
  readonly parent: string;
  readonly tree: string;
  /** Time of the result in seconds since 1970. */
  readonly date: number;
  /** Commit message without trailers. */
  readonly message: string;
} & ResultData;

/** Returns the place of the refs with verified results of one work tree. */
export function refsOf({ gitDir, commonDir, refNamespace }: WorkTree): string {
  const linked = gitDir === commonDir ? null : `worktrees/${encoded(basename(gitDir))}`;
  if (refNamespace !== undefined) return `refs/ralph/${refNamespace}/${linked ?? 'main'}`;
  return linked === null ? 'refs/ralph' : `refs/ralph/${linked}`;
}

/** File systems limit names to 255 bytes. */
const LONGEST = 120;

/** Returns a ref name component; different texts get different names. */
export function encoded(text: string): string {
  const name = [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (name !== '' && name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST)}=${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Data about a result that readers of its commit don't need. */
export const ResultData = z.object({
  /** Unabridged; the trailer is limited to one line. */
  taskId: z.string(),
  /** Position in the order of verification. */
  order: z.number(),
  /** Full name of the ref where the result lands; `HEAD` when detached. */
  ref: z.string(),
  needs: z.array(z.string()),
  /** Why the result waits while its `held` ref exists; `null` if it never did. */
  held: z.nullable(z.string()),
});
export type ResultData = z.infer<typeof ResultData>;

export function messageOf({ taskId, name }: Pick<KeptResult, 'taskId' | 'name'>, message: string): string {
  return `${withTrailers(message, `Ralph-Task: ${onOneLine(taskId)}`, `Ralph-Result: ${name}`)}\n`;
}

export async function storeResultData(tree: WorkTree, about: ResultData): Promise<string> {
  return writeText(tree, JSON.stringify(about));
}
