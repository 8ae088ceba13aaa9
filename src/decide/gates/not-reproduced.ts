import type { GateBaseline, GateResult } from '../../domain/gate.ts';
import { own } from '../../lib/own.ts';
import { isFailing } from '../../proof/gates/index.ts';

/** Gates that passed on the verified tree and fail now. */
export function notReproduced(
  results: readonly GateResult[],
  reference: GateBaseline | null,
): readonly string[] {
  return results.flatMap(({ name, outcome }) => {
    const before = reference === null ? undefined : own(reference.outcomes, name);
    return isFailing(outcome) && before?.kind === 'passed' ? [name] : [];
  });
}
