import { SIGNS_KEPT } from '../../../domain/findings/avoidance.ts';
import type { MutantCounts, MutantFacts } from '../../../domain/proof-run.ts';
import { pathText } from '../../../lib/text.ts';

/** How many mutants were tried, killed and left out; `null`: none were made. */
export function countMutants(mutants: MutantFacts | null): MutantCounts | null {
  if (mutants === null) return null;
  const { tried, leftOut } = mutants;
  return { tried: tried.length, killed: tried.filter(({ killed }) => killed).length, leftOut };
}

/** Lines that could be wrong without a gate noticing, each in a sentence. */
export function survivorSigns(mutants: MutantFacts | null): string[] {
  return (mutants?.tried ?? [])
    .filter(({ killed }) => !killed)
    .slice(0, SIGNS_KEPT)
    .map(({ path, line, kind, before, after }) => {
      const how = kind === 'drop' ? `do without \`${before}\`` : `be \`${after}\``;
      return `${pathText(path)}:${line} could ${how}: no test notices`;
    });
}
