import { changesOf, failedTries, type Recovery, type RecoveryTry } from '../domain/human/recovery.ts';
import { snakeKeys } from '../lib/snake-keys.ts';

/** `.ralph/recoveries/RS-NNN.json` (`RecoveryDocument`). */
export function recoveryDocument(recovery: Recovery) {
  const { ended, tries, ...rest } = recovery;
  return {
    $schema: 'ralph.recovery.v1',
    ...snakeKeys(rest),
    status: ended?.how ?? 'open',
    ended_at: ended?.at ?? null,
    failed_attempts: failedTries(recovery),
    iterations: tries.map((one) => snakeKeys(one)),
    phases: [...tries.flatMap(phasesOf), ...lastPhase(recovery)],
  };
}

type PhaseEntry = {
  readonly phase: 'pause' | 'diagnose' | 'adapt' | 'retry' | 'escalate' | 'end';
  readonly iteration: number;
  readonly at: string;
  readonly text: string;
};

/** What followed from an attempt, in its order. */
function phasesOf({ iteration, at, ended, diagnosis, adaptation }: RecoveryTry): PhaseEntry[] {
  const entry = (phase: PhaseEntry['phase'], text: string) => ({ phase, iteration, at, text });
  return [
    entry('pause', ended),
    entry('diagnose', `${diagnosis.text} Confidence ${diagnosis.confidence}.`),
    ...(adaptation === null
      ? []
      : [entry('adapt', `${changesOf(adaptation)}.`), entry('retry', `Attempt ${adaptation.attempt}.`)]),
  ];
}

const ENDS: Readonly<Record<NonNullable<Recovery['ended']>['how'], string>> = {
  recovered: 'The task is done.',
  escalated: 'You decide.',
  blocked: 'The task is blocked.',
  reset: 'The task got a fresh series of attempts.',
};

function lastPhase({ ended, tries }: Recovery): PhaseEntry[] {
  if (ended === null) return [];
  const phase = ended.how === 'escalated' ? 'escalate' : 'end';
  return [{ phase, iteration: tries.at(-1)?.iteration ?? 0, at: ended.at, text: ENDS[ended.how] }];
}
