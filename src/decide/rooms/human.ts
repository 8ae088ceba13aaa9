import type { Claim } from '../../domain/claim.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type { GateDraft } from '../../domain/human/gate.ts';
import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { type Judgement, strictest, type Verdict } from '../../domain/verdict.ts';
import { summarise } from '../attempt/summarise.ts';
import { humanGateAfter } from '../human-gate.ts';
import { type RoomVerdict, room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof'>;
type Before = Pick<IterationDecisions, 'gateReport' | 'proof' | 'testResults'> & {
  readonly claim: Claim;
  readonly endedNormally: boolean;
  readonly findings: Finding[];
  readonly verdicts: readonly RoomVerdict[];
};

export const human = room('human', (facts: Facts, before: Before) => {
  const { findings, testResults, proof, verdicts } = before;
  const judged = strictest(verdicts);
  const ask = () => {
    const attempted = summarise(facts, { ...before, ...judged });
    return humanGateAfter(facts, { attempted, testResults, recovery: {}, proof });
  };
  const stop = isOver(before, judged.verdict) ? ask() : { humanGate: null, autoApproved: [] };
  if (stop.humanGate === null) return { stop, findings };
  return {
    stop,
    // A claim about work that a human gate stopped isn't a false claim.
    findings: findings.filter(({ type }) => type !== 'false_completion'),
    verdicts: [waitsAt(stop.humanGate)],
  };
});

/** Returns whether agent and reviewers consider the work complete, so that its removals are final. */
function isOver(
  { claim: { status, exitSignal }, endedNormally }: Pick<Before, 'claim' | 'endedNormally'>,
  { kind }: Verdict,
): boolean {
  const saysUnfinished = status === 'in_progress' || status === 'blocked' || exitSignal === false;
  const isDoneAgain = kind === 'changes_requested' || kind === 'conflict';
  return endedNormally && !saysUnfinished && !isDoneAgain;
}

/** Returns the verdict on work that waits at a human gate: neither accepted nor rejected, whatever the agent claims. */
function waitsAt({ gate, triggers }: GateDraft): Judgement {
  return {
    verdict: { kind: 'awaiting_human', requests: [gate] },
    cause: `Needs your decision: ${triggers.map(({ text }) => text).join('; ')}.`,
  };
}
