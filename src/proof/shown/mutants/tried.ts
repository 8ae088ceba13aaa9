import { pathText } from 'ralph-kit/text';
import type { CommandRun, PutIn } from '../../../domain/command-run.ts';
import { SIGNS_KEPT } from '../../../domain/findings/avoidance.ts';
import { isRed } from '../../../domain/gate.ts';
import type { MutantCounts } from '../../../domain/proof-run.ts';
import type { IterationFacts } from '../../../domain/records/iteration.ts';
import { redNames } from '../../../domain/test-results.ts';
import { failsToLoad } from '../test-outcome.ts';

type Seen = Pick<IterationFacts, 'commandRuns' | 'mutants'>;

/** A mistake that was put in and tried. `killed`: a gate failed with it, or didn't end. */
type TriedMutant = NonNullable<PutIn['mutant']> & { readonly killed: boolean };

/** Returns a mutant's result in a run. `unbuilt`: it can't be loaded or built. */
export function fateIn({ outcome, outputTail, results }: CommandRun): 'killed' | 'survived' | 'unbuilt' {
  if (outcome.kind === 'failed' && failsToLoad(outputTail)) return 'unbuilt';
  return isRed(outcome) || redNames(results).length > 0 ? 'killed' : 'survived';
}

export function triedMutants({ commandRuns, mutants }: Seen): TriedMutant[] {
  const last = new Map<string, { readonly mutant: NonNullable<PutIn['mutant']>; readonly run: CommandRun }>();
  for (const run of commandRuns) {
    const mutant = run.put?.mutant ?? null;
    if (mutant !== null) last.set(JSON.stringify(mutant), { mutant, run });
  }
  return [...last.values()].slice(0, mutants?.asked ?? 0).flatMap(({ mutant, run }) => {
    const fate = fateIn(run);
    return fate === 'unbuilt' ? [] : [{ ...mutant, killed: fate === 'killed' }];
  });
}

/** Returns the numbers of tried, killed and left-out mutants; `null` if none were made. */
export function countMutants(seen: Seen): MutantCounts | null {
  if (seen.mutants === null) return null;
  const tried = triedMutants(seen);
  const { leftOut } = seen.mutants;
  return { tried: tried.length, killed: tried.filter(({ killed }) => killed).length, leftOut };
}

/** Returns a sentence for each line that could be wrong without a gate failing. */
export function survivorSigns(seen: Seen): string[] {
  return triedMutants(seen)
    .filter(({ killed }) => !killed)
    .slice(0, SIGNS_KEPT)
    .map(({ path, line, kind, before, after }) => {
      const how = kind === 'drop' ? `do without \`${before}\`` : `be \`${after}\``;
      return `${pathText(path)}:${line} could ${how}: no test notices`;
    });
}
