import type { Claim } from '../../domain/claim.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { readClaim } from '../../proof/evidence/index.ts';
import { decideByEnding } from '../../proof/findings/index.ts';
import { readProposed } from '../../tasks/index.ts';
import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'claim'>;

/** What the agent says, from its own words alone; also needed to know which files to look at. */
export function claimOf(
  facts: Pick<Facts, 'report' | 'agentOutput' | 'promptText' | 'task' | 'feedback'>,
): Claim {
  const plainText = facts.agentOutput === 'text';
  const { task, promptText: prompt } = facts;
  const quoted = facts.feedback.map(({ text }) => text);
  return readClaim(facts.report.finalMessage, { plainText, prompt, task, quoted });
}

type Before = {
  /** `claimOf` the facts, where that is known. */
  readonly claimed: Claim | null;
};

/** What the agent says, and how it ended: one that was cut short isn't judged by its work. */
export const claim = room('claim', (facts: Facts, { claimed }: Before) => {
  const claim = claimed ?? claimOf(facts);
  const ending = decideByEnding({ ...facts, claim });
  return {
    claim,
    proposed: [...readProposed(facts.report.finalMessage)],
    cameToItsEnd: ending === null,
    verdicts: ending === null ? [] : [ending],
  };
});
