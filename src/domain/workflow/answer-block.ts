import { jsonBlocks } from 'ralph-kit/json-blocks';
import { shortened } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { ANSWER_LIMIT, type RoleTurn } from './roles.ts';

export type AnswerRead<A> =
  | { readonly ok: true; readonly answer: A }
  /** The answer can't be used. `problem`: one line that is sent back to the agent. */
  | { readonly ok: false; readonly problem: string };

/** Maximum number of characters of a problem. */
const PROBLEM = 300;

export const OTHER_NONCE = '"nonce" isn\'t that of this question';

/**
 * Returns the JSON blocks in an agent's answer, in their order: at least one.
 *
 * @param begins Beginning of a block that could be the answer.
 */
export function blocksOf(text: string, begins: RegExp): AnswerRead<readonly unknown[]> {
  if (text.length > ANSWER_LIMIT)
    return unusable(`the answer has more than ${ANSWER_LIMIT} characters; keep it short`);
  const blocks = jsonBlocks(text, begins);
  if (blocks.length > 0) return { ok: true, answer: blocks };
  return unusable(
    text.includes('{')
      ? 'there is no complete JSON block; the answer may be cut off'
      : 'there is no JSON block in the answer',
  );
}

/**
 * Returns the only JSON block of an answer. With several, or without the code of the question, there is none: whose
 * work is asked about could have written it.
 */
export function onlyBlock<A extends { readonly nonce: string }>(
  { text, nonce }: Pick<RoleTurn, 'text' | 'nonce'>,
  begins: RegExp,
  schema: z.ZodMiniType<A>,
): AnswerRead<A> {
  const read = blocksOf(text, begins);
  if (!read.ok) return read;
  const { length } = read.answer;
  if (length > 1) return unusable(`there are ${length} JSON blocks; give exactly one`);
  const { data, error } = z.safeParse(schema, read.answer[0]);
  if (data === undefined) return unusable(mismatchText(error));
  return data.nonce === nonce ? { ok: true, answer: data } : unusable(OTHER_NONCE);
}

/** Returns where and how a block differs from what was asked for. */
export function mismatchText(error: z.core.$ZodError | undefined): string {
  const [issue] = error?.issues ?? [];
  const place = issue?.path.map(String).join('.') || 'the block';
  const what =
    issue?.code === 'unrecognized_keys' ? `unknown field ${issue.keys.join(', ')}` : issue?.message.trim();
  return shortened(`${place}: ${what ?? ''}`, PROBLEM);
}

export function unusable(problem: string): AnswerRead<never> {
  return { ok: false, problem };
}
