import type { Finding } from '../domain/findings/finding.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import type { AttemptSummary } from '../domain/records/state.ts';
import { isOutsideCause, type Verdict } from '../domain/verdict.ts';
import { humanGateAfter } from './human-gate.ts';
import { recoveryAfter, recoveryFacts, settledRecovery } from './recovery-after.ts';

type Tried = {
  readonly attempted: AttemptSummary;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** A finding that its corrections did not cure; `null`: there is none. */
  readonly uncured: Finding | null;
  readonly testResults: IterationDecisions['testResults'];
  /** The task waits at its incident. */
  readonly isHeld: boolean;
  /** The human gate that the work waits at. */
  readonly stop: ReturnType<typeof humanGateAfter>;
  /** What blocks the task where you aren't asked; `null`: it isn't blocked. */
  readonly limit: IterationDecisions['blocked'];
};

/** What is done about a finding that was not cured, the human gate that opens, and the block that remains. */
export function escalated(
  facts: IterationFacts,
  { attempted, verdict, findings, uncured, testResults, isHeld, limit, stop }: Tried,
): Pick<IterationDecisions, 'humanGate' | 'autoApproved' | 'blocked' | 'recovering'> {
  const { iteration, endedAt } = facts;
  // The agent's own reason says more than that attempts are used up.
  const usedUp = limit !== null && verdict.kind !== 'agent_blocked';
  const tried = { attempt: attempted, verdict, findings, uncured, usedUp, testResults };
  const recovery = recoveryAfter(facts, tried);
  const { humanGate, autoApproved } = isHeld
    ? { humanGate: null, autoApproved: [] }
    : isOutsideCause(verdict.kind)
      ? stop
      : humanGateAfter(
          facts,
          { attempted, testResults, recovery: recoveryFacts(recovery, { iteration, usedUp }) },
          ['GATE-AP-RECOVERY'],
        );
  const blocked = isHeld || humanGate !== null ? null : limit;
  const recovering = settledRecovery(recovery, { humanGate, blocked }, endedAt);
  return { humanGate, autoApproved, blocked, recovering };
}
