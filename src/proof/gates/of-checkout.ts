import type { GateSpec } from '../../domain/gate.ts';
import type { ImportingEnvironment } from '../../domain/ports.ts';
import { firstFew, pathText, quotedNames } from '../../lib/text.ts';

type OfCheckout = {
  /** They import code of the checkout, wherever they run. */
  readonly gates: readonly Pick<GateSpec, 'name' | 'box'>[];
  /** By one of these. */
  readonly environments: readonly Pick<ImportingEnvironment, 'file'>[];
};

/** What to say of gates that test the checkout wherever they run, and what helps. */
export function ofCheckoutText({ gates, environments }: OfCheckout): string {
  const names = quotedNames(gates.map(({ name }) => name));
  const [gate, tests, imports, them] =
    gates.length === 1 ? ['Gate', 'tests', 'it imports', 'it'] : ['Gates', 'test', 'they import', 'them'];
  const files = firstFew(
    environments.map(({ file }) => pathText(file)),
    3,
  );
  const box = gates.some((one) => !one.box)
    ? `without box = false for ${them}`
    : 'in the box (why it is off: ralph doctor)';
  return `${gate} ${names} ${tests} your checkout, and not the work: what ${imports} is found by ${files}, and the work lies in another folder. Install into an environment in the repository that git ignores (python3 -m venv .venv), or run ${them} ${box}.`;
}
