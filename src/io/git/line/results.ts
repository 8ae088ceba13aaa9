import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import type { ResultId } from '../../../domain/ports.ts';
import { onOneLine } from '../../../lib/text.ts';
import { withTrailers } from '../../../lib/trailers.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { writeText } from '../objects/questions.ts';

/** A verified result as it is kept. */
export type Kept = ResultId & {
  /** `TASK/N`, as refs name it. */
  readonly name: string;
  readonly commit: string;
  /** The line's commit that it was made on. */
  readonly parent: string;
  readonly tree: string;
  /** Seconds since 1970. */
  readonly date: number;
  /** Without the trailers. */
  readonly message: string;
} & About;

/** Where what is verified is kept of one work tree. */
export function refsOf({ gitDir, commonDir }: WorkTree): string {
  return gitDir === commonDir ? 'refs/ralph' : `refs/ralph/worktrees/${encoded(basename(gitDir))}`;
}

/** Longer names are cut: file systems end at 255 bytes. */
const LONGEST = 120;

/** A part of a ref's name, whatever characters are in it; different ones for different texts. */
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

/** What is kept of a result beside its commit: of no use to who reads that. */
export const About = z.object({
  /** Exactly: a trailer is one line, and shows what it holds. */
  taskId: z.string(),
  /** Results in the order in which they were verified. */
  order: z.number(),
  /** Full name of the ref that it lands on; `HEAD`: none was checked out. */
  ref: z.string(),
  needs: z.array(z.string()),
  /** Why it waits while `held/T/N` is there; `null`: it never did. */
  held: z.nullable(z.string()),
});
export type About = z.infer<typeof About>;

export function messageOf({ taskId, name }: Pick<Kept, 'taskId' | 'name'>, message: string): string {
  return `${withTrailers(message, `Ralph-Task: ${onOneLine(taskId)}`, `Ralph-Result: ${name}`)}\n`;
}

/** Keeps what is to be known of a result; the object of it. */
export async function keepAbout(tree: WorkTree, about: About): Promise<string> {
  return writeText(tree, JSON.stringify(about));
}
