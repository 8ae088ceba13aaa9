import type { Claim } from '../../domain/claim.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { readClaim } from '../../proof/evidence/index.ts';
import { decideByEnding } from '../../proof/findings/index.ts';
import { readProposed } from '../plan/read-plan.ts';

import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'claim'>;

type ClaimFacts = Pick<Facts, 'report' | 'agentOutput' | 'promptText' | 'task' | 'feedback'>;

/** Returns the agent's claim, read only from the agent's own words. It also shows which files have to be checked. */
export function claimOf(facts: ClaimFacts): Claim {
  const plainText = facts.agentOutput === 'text';
  const { task, promptText: prompt } = facts;
  const quoted = facts.feedback.map(({ text }) => text);
  return readClaim(facts.report.finalMessage, { plainText, prompt, task, quoted });
}

type Before = {
  /** The claim, if it was already read; `null`: it wasn't. */
  readonly claimed: Claim | null;
};

/** Decides about the claim and the attempt's end. An attempt that was cut short isn't judged by its work. */
export const claim = room('claim', (facts: Facts, { claimed }: Before) => {
  const claim = claimed ?? claimOf(facts);
  const ending = decideByEnding({ ...facts, claim });
  return {
    claim,
    proposed: [...readProposed(facts.report.finalMessage)],
    endedNormally: ending === null,
    verdicts: ending === null ? [] : [ending],
  };
});
