import { shortened } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { MOST_CHECKS, MOST_COMMAND, MOST_FILES, MOST_TEXT, ProverCheck } from '../../../domain/prover.ts';
import { type AnswerRead, onlyBlock } from '../../../domain/workflow/answer-block.ts';
import type { RoleTurn } from '../../../domain/workflow/roles.ts';

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

export function readChecks(turn: Turn): AnswerRead<readonly ProverCheck[]> {
  const read = onlyBlock(turn, BEGINS, Checks);
  return read.ok ? { ok: true, answer: z.array(ProverCheck).parse(read.answer.checks) } : read;
}

export type Ruling = { readonly check: number; readonly keep: boolean; readonly reason: string };

export function readRulings(turn: Turn): AnswerRead<readonly Ruling[]> {
  const read = onlyBlock(turn, BEGINS, Rulings);
  if (!read.ok) return read;
  const { rulings } = read.answer;
  return { ok: true, answer: rulings.map((one) => ({ ...one, reason: shortened(one.reason, REASON) })) };
}
