import type { OutsideVerdict } from '../../domain/verdict.ts';
import type {
  ReviewAnswer,
  ReviewVerdict,
  RoleRun,
  WorkflowDecisions,
  WorkflowFacts,
} from '../../domain/workflow/roles.ts';
import { readAnswer } from './answer.ts';
import { reviewers } from './next-roles.ts';

export type Answer = WorkflowDecisions['answers'][number];

/** What each reviewer answered at last, or why that is no answer. */
export function answersOf(runs: readonly RoleRun[]): readonly Answer[] {
  return runs
    .filter(({ phase }) => phase === 'check')
    .map(({ number, role, turns }) => {
      const last = turns.at(-1);
      if (last === undefined) return { number, role, answer: null, failure: 'it did not start' };
      if (last.trouble !== null) return { number, role, answer: null, failure: last.trouble };
      const read = readAnswer(last);
      return read.ok
        ? { number, role, answer: read.answer, failure: null }
        : { number, role, answer: null, failure: `no valid answer: ${read.problem}` };
    });
}

/** Of a reviewer that was replaced the last one counts; of one that was asked again adversarially, both do. */
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

/** A reviewer that wasn't started has approved nothing. */
export function missingAnswers(
  answers: readonly Answer[],
  { workflow, isComplete }: { readonly workflow: Pick<WorkflowFacts, 'kind'>; readonly isComplete: boolean },
): readonly Answer[] {
  return reviewers(workflow.kind, isComplete)
    .filter((role) => answers.every((one) => one.role !== role))
    .map((role) => ({ number: 0, role, answer: null, failure: 'it was not started' }));
}

/** An approval of what is critical is none. */
export function asksForChanges({ verdict, findings }: ReviewAnswer): boolean {
  return verdict === 'CHANGES_REQUESTED' || findings.some(({ severity }) => severity === 'CRITICAL');
}

/** Why no review of complete work could be made, where nothing but that is missing: such causes pass. */
export function outsideCauseOf(failed: readonly Answer[], runs: readonly RoleRun[]): OutsideVerdict | null {
  const causes = failed.map(({ number }) => causeOutside(runs, number));
  return causes.every((cause) => cause !== null) ? (causes[0] ?? null) : null;
}

export function causeOutside(runs: readonly RoleRun[], number: number): OutsideVerdict | null {
  return runs.find((run) => run.number === number)?.turns.at(-1)?.outside ?? null;
}
