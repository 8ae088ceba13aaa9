import { jsonBlocks } from 'ralph-kit/json-blocks';
import { shortened } from 'ralph-kit/text';
import * as z from 'zod/mini';
import {
  ANSWER_LIMIT,
  FINDING_SEVERITIES,
  type ReviewAnswer,
  ReviewVerdict,
  type RoleRun,
  type RoleTurn,
  type WorkflowDecisions,
} from '../../domain/workflow/roles.ts';

type AnswerRead =
  | { readonly ok: true; readonly answer: ReviewAnswer }
  | { readonly ok: false; readonly problem: string };

/** Maximum number of findings of a review. A review with more is invalid. */
const MOST_FINDINGS = 200;
const MOST_CHARACTERS = 8000;
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
 * Returns a reviewer's answer. A message without exactly one valid JSON block, or without the code of the question,
 * never approves: the reviewed agent could have written it.
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
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the block';
    const what =
      issue?.code === 'unrecognized_keys' ? `unknown field ${issue.keys.join(', ')}` : issue?.message.trim();
    return no(shortened(`${place}: ${what}`, 200));
  }
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
        file: finding.file.replace(/^(?:\.\/)+/, ''),
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

/** Returns what is wrong with an answer; `null`: it is valid, or the reviewer couldn't work. */
export function answerProblem(turn: Pick<RoleTurn, 'trouble' | 'text' | 'nonce'> | undefined): string | null {
  if (turn === undefined || turn.trouble !== null) return null;
  const read = readAnswer(turn);
  return read.ok ? null : read.problem;
}

export type Answer = WorkflowDecisions['answers'][number];

export function answersOf(runs: readonly RoleRun[]): readonly Answer[] {
  return runs
    .filter(({ phase }) => phase === 'check')
    .map(({ number, role, turns }) => {
      const last = turns.at(-1);
      const failed = (failure: string) => ({ number, role, answer: null, failure });
      if (last === undefined) return failed('it did not start');
      if (last.trouble !== null) return failed(last.trouble);
      const read = readAnswer(last);
      if (!read.ok) return failed(`no valid answer: ${read.problem}`);
      return { number, role, answer: read.answer, failure: null };
    });
}

/**
 * Returns the answers that count: the last one of a replaced reviewer, and both answers of a reviewer that was asked
 * again to look for faults.
 */
export function finalAnswers(answers: readonly Answer[]): readonly Answer[] {
  const roles = [...new Set(answers.map(({ role }) => role))];
  return roles.map((role) => {
    const own = answers.filter((one) => one.role === role);
    const valid = own.filter(({ answer }) => answer !== null);
    const last = own.at(-1) as Answer;
    if (last.answer === null || valid.length < 2) return last;
    const findings = valid.flatMap(({ answer }) => answer?.findings ?? []);
    const asks = valid.some(({ answer }) => answer !== null && asksForChanges(answer));
    const verdict: ReviewVerdict = asks ? 'CHANGES_REQUESTED' : 'APPROVED';
    return { ...last, answer: { verdict, findings: [...findings] } };
  });
}

/** Returns whether a review asks for changes. An approval with a CRITICAL finding does. */
export function asksForChanges({ verdict, findings }: ReviewAnswer): boolean {
  return verdict === 'CHANGES_REQUESTED' || findings.some(({ severity }) => severity === 'CRITICAL');
}

/** Returns the outside cause that ended a run; `null`: none. */
export function causeOutside(runs: readonly RoleRun[], number: number) {
  return runs.find((run) => run.number === number)?.turns.at(-1)?.outside ?? null;
}
