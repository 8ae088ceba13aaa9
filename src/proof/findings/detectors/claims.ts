import {
  type Attempt,
  changedAtMost,
  contradictions,
  ignoredNote,
  isAlreadyDone,
  lacksFiles,
  reasonsAgainstCompletion,
} from '../attempt.ts';
import type { Detection } from '../detector.ts';
import { decideByEnding } from '../verdict/ending.ts';

/** Finds an attempt that ended well and wrote nothing. An agent that reports being blocked is believed instead. */
export function noFiles(attempt: Attempt): Detection | null {
  if (decideByEnding(attempt) !== null || isStopped(attempt)) return null;
  if (!lacksFiles(attempt) || isAlreadyDone(attempt)) return null;
  const claimed = attempt.claim.completion;
  return {
    severity: claimed ? 'medium' : 'low',
    summary: `The agent finished ${claimed ? 'and claimed completion, but' : 'and'} changed ${changedAtMost(attempt)}.${ignoredNote(attempt)}`,
    details: { write_calls: attempt.report.writeCalls },
  };
}

export function falseCompletion(attempt: Attempt): Detection | null {
  if (!attempt.claim.completion || isStopped(attempt)) return null;
  const reasons = reasonsAgainstCompletion(attempt)
    .filter(({ isFalse }) => isFalse)
    .map(({ text }) => text);
  if (reasons.length === 0) return null;
  return {
    severity: 'medium',
    summary: `Completion was claimed, but ${reasons.join('; ')}.`,
    details: { reasons },
  };
}

/** An attempt that waits for a human gate isn't judged. */
function isStopped({ review }: Attempt): boolean {
  return review.waiting.length > 0;
}

/** Finds claims of writes without any evidence, or with evidence that can't be true. */
export function evidenceMissing(attempt: Attempt): Detection | null {
  const ending = decideByEnding(attempt);
  // An agent that was cut off couldn't list its evidence.
  const finished = ending === null || ending.verdict.kind === 'agent_blocked';
  const denied = contradictions(attempt);
  const none = attempt.claim.claimsWrites && attempt.evidence.length === 0;
  if (denied.length === 0 && !(none && finished)) return null;
  const summary = none
    ? 'The agent says it wrote files and names none of them.'
    : `Evidence is contradicted: ${denied.map((check) => check.why).join('; ')}.`;
  return {
    severity: 'low',
    summary,
    details: {
      contradicted: denied.map((check) => ({ path: check.item.path, why: check.why })),
      confirmed: attempt.evidence.filter((check) => check.standing === 'confirmed').length,
      unconfirmed: attempt.evidence.filter((check) => check.standing === 'unconfirmed').length,
    },
  };
}
