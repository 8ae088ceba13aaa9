import { jsonBlocks } from 'ralph-kit/json-blocks';
import { shortened } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { MOST_CHECKS, MOST_COMMAND, MOST_FILES, MOST_TEXT, ProverCheck } from '../../../domain/prover.ts';
import { ANSWER_LIMIT, type RoleTurn } from '../../../domain/workflow/roles.ts';

type Read<A> =
  | { readonly ok: true; readonly answer: A }
  /** The answer can't be used. `problem`: one line for the agent. */
  | { readonly ok: false; readonly problem: string };

type Turn = Pick<RoleTurn, 'text' | 'nonce'>;

const BEGINS = /^\{\s*"(?:nonce|checks|rulings)"/;

const Checks = z.object({
  nonce: z.string(),
  checks: z
    .array(
      z.object({
        criterion: z.int().check(z.nonnegative()),
        command: z.string().check(z.trim(), z.minLength(1), z.maxLength(MOST_COMMAND)),
        files: z._default(
          z
            .array(z.object({ path: z.string(), text: z.string().check(z.maxLength(MOST_TEXT)) }))
            .check(z.maxLength(MOST_FILES)),
          [],
        ),
      }),
    )
    .check(z.maxLength(MOST_CHECKS)),
});

/** Characters of a reason in a record. */
const REASON = 300;

const Rulings = z.object({
  nonce: z.string(),
  rulings: z.array(
    z.object({
      check: z.int(),
      keep: z.boolean(),
      reason: z.string().check(z.trim(), z.minLength(1)),
    }),
  ),
});

export function readChecks(turn: Turn): Read<readonly ProverCheck[]> {
  const read = readBlock(turn, Checks);
  return read.ok ? { ok: true, answer: z.array(ProverCheck).parse(read.answer.checks) } : read;
}

export type Ruling = { readonly check: number; readonly keep: boolean; readonly reason: string };

export function readRulings(turn: Turn): Read<readonly Ruling[]> {
  const read = readBlock(turn, Rulings);
  if (!read.ok) return read;
  const { rulings } = read.answer;
  return { ok: true, answer: rulings.map((one) => ({ ...one, reason: shortened(one.reason, REASON) })) };
}

function readBlock<A extends { readonly nonce: string }>(
  { text, nonce }: Turn,
  schema: z.ZodMiniType<A>,
): Read<A> {
  if (text.length > ANSWER_LIMIT) return no(`the answer has more than ${ANSWER_LIMIT} characters`);
  const blocks = jsonBlocks(text, BEGINS);
  if (blocks.length !== 1) return no(`there are ${blocks.length} JSON blocks; give exactly one`);
  const parsed = z.safeParse(schema, blocks[0]);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return no(shortened(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`, REASON));
  }
  if (parsed.data.nonce !== nonce) return no('"nonce" isn\'t that of this question');
  return { ok: true, answer: parsed.data };
}

function no(problem: string) {
  return { ok: false, problem } as const;
}
