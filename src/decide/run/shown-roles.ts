import { tokensOf } from 'ralph-agents/event';
import { type Price, type Spent, spentOf } from '../../domain/spend.ts';
import { spendOf } from '../../domain/spend-of.ts';
import type { ReviewFinding, Role, WorkflowDecisions, WorkflowFacts } from '../../domain/workflow/roles.ts';
import { isSameFinding } from '../../respond/roles/index.ts';

/**
 * How a review's finding is used. `fix_now`: the maker has to fix it; `put_off`: it is kept for later; `known`:
 * another role found the same; `not_used`: the reviewing agent was replaced, or gates rejected the work.
 */
export type FindingFate = 'fix_now' | 'put_off' | 'known' | 'not_used';

export type ShownRole = {
  readonly number: number;
  readonly role: Role;
  readonly phase: string;
  readonly agent: string;
  readonly model: string | null;
  readonly replaced: boolean;
  readonly adversarial: boolean;
  /** The review's verdict; `null`: the role is a planner, or its review failed. */
  readonly verdict: string | null;
  readonly failure: string | null;
  readonly durationMs: number;
  readonly spent: Spent;
  readonly findings: readonly (ReviewFinding & { readonly fate: FindingFate })[];
  readonly wrote: readonly string[];
};

export function shownRoles(
  { runs }: Pick<WorkflowFacts, 'runs'>,
  decisions: Pick<WorkflowDecisions, 'answers' | 'findings' | 'parkedFindings'>,
  prices: Readonly<Record<string, Price>>,
): readonly ShownRole[] {
  const { answers, findings, parkedFindings } = decisions;
  const last = new Map(answers.map(({ role, number }) => [role, number]));
  // If the guardian reviews a second time, its first answer still counts.
  const isUsed = (role: Role, number: number) =>
    last.get(role) === number || runs.some((run) => run.role === role && run.adversarial);
  const fateOf = (finding: ReviewFinding, role: Role, number: number): FindingFate => {
    const isSame = (one: { readonly finding: ReviewFinding }) => isSameFinding(one.finding, finding);
    const own = (one: { readonly role: Role }) => one.role === role;
    if (findings.filter(own).some(isSame)) return 'fix_now';
    if (parkedFindings.filter(own).some(isSame)) return 'put_off';
    const isKnown = isUsed(role, number) && [...findings, ...parkedFindings].some(isSame);
    return isKnown ? 'known' : 'not_used';
  };
  return runs.map(({ number, role, phase, agent, model, replaced, adversarial, turns, wroteInCopy }) => {
    const answer = answers.find((one) => one.number === number);
    const usage = turns
      .flatMap((turn) => turn.usage)
      .filter((one) => tokensOf([one]) > 0 || one.costUsd !== null);
    return {
      number,
      role,
      phase,
      agent,
      replaced,
      adversarial,
      model: turns.at(-1)?.model ?? model,
      verdict: answer?.answer?.verdict ?? null,
      failure: answer === undefined ? (turns.at(-1)?.trouble ?? null) : answer.failure,
      durationMs: turns.reduce((sum, turn) => sum + turn.durationMs, 0),
      spent: spentOf(spendOf(usage, prices)),
      findings: (answer?.answer?.findings ?? []).map((finding) => ({
        ...finding,
        fate: fateOf(finding, role, number),
      })),
      wrote: wroteInCopy,
    };
  });
}
