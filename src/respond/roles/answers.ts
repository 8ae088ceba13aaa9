import * as z from 'zod/mini';
import { type AnswerRead, onlyBlock, unusable } from '../../domain/workflow/answer-block.ts';
import {
  FINDING_SEVERITIES,
  type ReviewAnswer,
  ReviewVerdict,
  type RoleRun,
  type RoleTurn,
  type WorkflowDecisions,
} from '../../domain/workflow/roles.ts';

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
export function readAnswer(turn: Pick<RoleTurn, 'text' | 'nonce'>): AnswerRead<ReviewAnswer> {
  const read = onlyBlock(turn, BEGINS, Answer);
  if (!read.ok) return read;
  const { verdict, findings } = read.answer;
  if (verdict === 'CHANGES_REQUESTED' && findings.length === 0)
    return unusable('CHANGES_REQUESTED needs at least one finding');
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
