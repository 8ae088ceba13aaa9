import { tail } from 'ralph-kit/text';
import { gatesIn } from '../../domain/command-runs.ts';
import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { failingTails } from '../../proof/gates/index.ts';
import { decideBlocked } from '../../respond/blocked/index.ts';

/** Characters of output that the record of a blocked task keeps. */
const BLOCKED_TAIL = 2000;

/** Returns why the task is blocked; `null`: it isn't. */
export function blockedAfter(
  facts: FactsOf<'attempt' | 'agent' | 'changes' | 'runs'>,
  attempt: AttemptSummary,
  verdict: Verdict,
  limitReached: string | null,
): IterationDecisions['blocked'] {
  const { report, errorTail, settings, taskState, endedAt: at } = facts;
  // If the agent has no final message, its reason is most likely on standard error.
  const lastLines = report.finalMessage.trim() === '' ? errorTail : report.finalMessage;
  return decideBlocked({
    attempt,
    verdict,
    limitReached,
    taskState,
    at,
    maxAttempts: settings.maxAttemptsPerTask,
    outputTail: tail(lastLines, BLOCKED_TAIL),
    failedGateTail: failingTails(gatesIn(facts), BLOCKED_TAIL),
  });
}
