import type { Adaptation, Diagnosis, RecoveryCause, RecoveryTry } from '../../domain/human/recovery.ts';
import { bullets } from '../../lib/markdown.ts';
import { quotedNames, shortened } from '../../lib/text.ts';

/** Characters of a failure in a prompt. */
const QUOTED = 300;
/** Each attempt that ran into its time limit lengthens the next one by this. */
const MORE_TIME = 1.5;
/** Paths that a narrowed scope may have. */
const NARROW = 10;
/** From this attempt of a recovery on another agent takes over, and the scope is narrowed. */
const ANOTHER_AGENT_FROM = 2;
const NARROWED_FROM = 3;

const APPROACH: Readonly<Record<RecoveryCause, string>> = {
  avoidance:
    'Take back what makes a check weaker: restore each test, assertion and setting as it was, then change the code until they pass. Where a check itself is wrong, leave it as it is and say so in your report.',
  gates:
    'Don’t repeat the last change. First find the cause: run the failing gate, read its first error, explain it in one sentence, then change the one place that it comes from.',
  timeout:
    'Do the smallest part that is worth having first, and finish it. Run only the tests of what you change.',
  limits: 'Read and run less: open only the files that you change, and run only the tests of those.',
  agent: 'Start afresh: read the task and the files that it names before anything else.',
  no_work: 'Write files. A plan or an explanation is not enough: the task needs a change in the work tree.',
  false_claim:
    'Report only what you did and saw: name the files that you changed and the command that shows that they work.',
  other: 'Take another way than before, in small steps, and check each with the gates.',
};

export type AdaptFacts = {
  /** Of the recovery, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly diagnosis: Diagnosis;
  /** All attempts so far, oldest first. */
  readonly tries: readonly Pick<RecoveryTry, 'iteration' | 'agent' | 'ended' | 'diagnosis'>[];
  /** The agent that worked last, and those that could, in the order of the run. */
  readonly agent: string;
  readonly available: readonly string[];
  readonly files: readonly string[];
};

/** What the coming attempt does differently: words first, then another agent and more time, then a narrower scope. */
export function adapt(facts: AdaptFacts): Adaptation {
  const { attempt, maxAttempts, diagnosis, tries, files } = facts;
  const tired = tries.filter((one) => one.diagnosis.cause === 'timeout').length;
  const scope = attempt >= NARROWED_FROM && files.length <= NARROW ? [...files] : [];
  const tried = tries.map(
    ({ iteration, agent, ended }) => `Iteration ${iteration} (${agent}): ${shortened(ended, QUOTED)}`,
  );
  const narrowed =
    scope.length === 0 ? '' : `\n\nChange only ${quotedNames(scope)} and what their tests need.`;
  return {
    attempt,
    prompt: `**RECOVERY** (attempt ${attempt} of ${maxAttempts}): What was tried did not work:\n\n${bullets(tried)}\n\n${diagnosis.text} ${APPROACH[diagnosis.cause]}${narrowed}`,
    agent: attempt >= ANOTHER_AGENT_FROM ? anotherAgent(facts) : null,
    timeoutFactor: MORE_TIME ** tired,
    liftLimits: diagnosis.cause === 'limits',
    scope,
  };
}

/** The one that worked least often in this recovery, in the order of the run; `null`: there is no other. */
function anotherAgent({ agent, available, tries }: AdaptFacts): string | null {
  const times = (name: string) => tries.filter((one) => one.agent === name).length;
  const others = available.filter((name) => name !== agent);
  return others.toSorted((one, other) => times(one) - times(other))[0] ?? null;
}
