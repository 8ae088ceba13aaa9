import * as z from 'zod/mini';
import {
  ANSWER_LIMIT,
  FINDING_SEVERITIES,
  type ReviewAnswer,
  ReviewVerdict,
  type RoleTurn,
} from '../../domain/workflow/roles.ts';
import { jsonBlocks } from '../../lib/json-blocks.ts';
import { shortened } from '../../lib/text.ts';

export type AnswerRead =
  | { readonly ok: true; readonly answer: ReviewAnswer }
  /** `problem`: one line, as the agent is told it. */
  | { readonly ok: false; readonly problem: string };

/** Findings of one review; more are no review. */
const MOST_FINDINGS = 200;
const MOST_CHARACTERS = 8000;
/** How an answer begins. */
const BEGINS = /^\{\s*"(?:nonce|verdict|findings)"/;

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(MOST_CHARACTERS));
const optionalText = z.optional(z.nullable(z.string().check(z.maxLength(MOST_CHARACTERS))));

const Answer = z.strictObject({
  nonce: text,
  verdict: ReviewVerdict,
  findings: z
    .array(
      z.strictObject({
        category: text,
        severity: z.enum(FINDING_SEVERITIES),
        file: text,
        line: z.nullable(z.int().check(z.minimum(1))),
        claim: text,
        repro: optionalText,
        fix: optionalText,
        alternative: optionalText,
      }),
    )
    .check(z.maxLength(MOST_FINDINGS)),
});

/**
 * Reads a reviewer's answer: the one JSON block of its last message, prose around it aside. What isn't exactly one valid
 * block is no answer, and never an approval; nor is one that doesn't repeat the nonce of its question, as the agent whose work
 * is reviewed could have written that.
 */
export function readAnswer({ text: message, nonce }: Pick<RoleTurn, 'text' | 'nonce'>): AnswerRead {
  if (message.length > ANSWER_LIMIT)
    return no(`the answer has more than ${ANSWER_LIMIT} characters; keep it short`);
  const blocks = jsonBlocks(message, BEGINS);
  const [block] = blocks;
  if (block === undefined)
    return no(
      message.includes('{')
        ? 'there is no complete JSON block; the answer may be cut off'
        : 'there is no JSON block in the answer',
    );
  if (blocks.length > 1) return no(`there are ${blocks.length} JSON blocks; give exactly one`);
  const parsed = z.safeParse(Answer, block);
  if (!parsed.success) return no(problemOf(parsed.error.issues));
  if (parsed.data.nonce !== nonce) return no('"nonce" isn\'t that of this question');
  const { verdict, findings } = parsed.data;
  if (verdict === 'CHANGES_REQUESTED' && findings.length === 0)
    return no('CHANGES_REQUESTED needs at least one finding');
  const given = (value: string | null | undefined) => value?.trim() || null;
  return {
    ok: true,
    answer: {
      verdict,
      findings: findings.map((finding) => ({
        ...finding,
        file: relative(finding.file),
        repro: given(finding.repro),
        fix: given(finding.fix),
        alternative: given(finding.alternative),
      })),
    },
  };
}

function no(problem: string): AnswerRead {
  return { ok: false, problem };
}

function relative(file: string): string {
  return file.replace(/^(?:\.\/)+/, '');
}

/** The issue that says most: the first, with the place in it. */
function problemOf(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  if (issue === undefined) return 'the block has the wrong fields';
  const place = issue.path.map(String).join('.');
  const what =
    issue.code === 'unrecognized_keys' ? `unknown field ${issue.keys.join(', ')}` : issue.message.trim();
  return shortened(`${place === '' ? 'the block' : place}: ${what}`, 200);
}

/** What is wrong with the answer of a reviewer that could work; `null`: it is valid, or there is none. */
export function answerProblem(turn: Pick<RoleTurn, 'trouble' | 'text' | 'nonce'> | undefined): string | null {
  if (turn === undefined || turn.trouble !== null) return null;
  const read = readAnswer(turn);
  return read.ok ? null : read.problem;
}
