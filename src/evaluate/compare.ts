import { figuresOf, type UnitResult } from './figures.ts';
import { difference, type Estimate, estimate } from './statistics.ts';

export type ComparedFigure = {
  readonly figure: string;
  readonly a: Estimate | null;
  readonly b: Estimate | null;
  /** B less A, seed by seed where both have the seed. */
  readonly difference: Estimate | null;
};

/** Every figure of two sets of runs beside each other. */
export function compareUnits(a: readonly UnitResult[], b: readonly UnitResult[]): ComparedFigure[] {
  const [one, other] = [bySeed(a), bySeed(b)];
  const names = new Set([...one.values(), ...other.values()].flatMap((figures) => Object.keys(figures)));
  return [...names].map((figure) => {
    const values = (of: typeof one) =>
      new Map([...of].map(([seed, figures]) => [seed, figures[figure] ?? null] as const));
    const [from, to] = [values(one), values(other)];
    return {
      figure,
      a: estimate([...from.values()]),
      b: estimate([...to.values()]),
      difference: difference(from, to),
    };
  });
}

function bySeed(units: readonly UnitResult[]) {
  return new Map(units.map((unit) => [unit.seed, figuresOf(unit)]));
}
