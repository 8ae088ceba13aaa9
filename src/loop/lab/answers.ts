import type { CommandRun, Purpose } from '../../domain/command-run.ts';

/** A run, with all that its result depends on; `null`: nobody can say what that is. */
export type Answer = { readonly key: string | null; readonly run: CommandRun };

/** Runs that are another look: a second one back to back, and whether something outside of the work changed since. */
const ANEW: ReadonlySet<Purpose> = new Set([
  'again',
  'in-recovery',
  'since-when',
  'before',
  'joined',
  'mutant',
  'prover',
]);

/**
 * The run that answers what would be asked by another one; `null`: none does. A red one answers nothing once its gate was red without the
 * work, too: what made it so may be over.
 */
export function answerFor(answers: readonly Answer[], key: string | null, why: Purpose): CommandRun | null {
  if (key === null || ANEW.has(why)) return null;
  const at = answers.findLastIndex((one) => one.key === key);
  const run = answers[at]?.run ?? null;
  if (run === null || run.outcome.kind === 'passed') return run;
  const isOutside = answers.some(
    ({ run: other }) =>
      other.why === 'since-when' && other.name === run.name && other.outcome.kind !== 'passed',
  );
  return run.outcome.kind === 'failed' && !isOutside ? run : null;
}
